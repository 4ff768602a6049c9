#include <fmt/format.h>

#include "app/commands.h"
#include "app/exit_code.h"
#include "app/output.h"
#include "app/quasistatic_report.h"
#include "simulation/record/csv.h"

namespace pequod::app {

int quasistatic(const QuasistaticRequest& request) {
  Diagnostics diagnostics;
  const std::optional<QuasistaticFile> file = read_quasistatic(request.file, diagnostics);
  print_error(diagnostics.text());
  if (!file || !diagnostics.ok()) return kBadInput;
  QuasistaticOptions options;
  options.all = request.all;
  const QuasistaticSolution solution = solve_quasistatic(file->problem, options);
  nlohmann::ordered_json json = quasistatic_json(solution);
  std::string text = quasistatic_text(solution);
  bool ended = false;
  if (file->motion) {
    const QuasistaticRun run = follow(*file->scene, *file->motion);
    ended = !run.ended.empty();
    json["motion"] = motion_json(run);
    text += motion_text(run, *file->scene);
  }
  print_out(request.json ? json.dump(2) + "\n" : text);
  if (!request.plot.empty()) {
    if (solution.motions.empty() || file->problem.object_load.size() != 3)
      print_error(fmt::format("pequod: nothing to draw in {}\n", request.plot.string()));
    else
      replace_file(request.plot, quasistatic_svg(*file, solution.motions.front()), false);
  }
  return solution.status == QuasistaticStatus::unknown || ended ? kFailed : kDone;
}

}  // namespace pequod::app
