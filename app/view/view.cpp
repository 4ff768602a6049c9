#include <fmt/format.h>

#include "app/commands.h"
#include "app/exit_code.h"
#include "app/interrupt.h"
#include "app/output.h"
#include "app/view/pack.h"
#include "app/view/page.h"
#include "app/view/video.h"
#include "simulation/record/csv.h"

namespace pequod::app {

int view_runs(const ViewRequest& request) {
  const std::filesystem::path bundle = require_bundle();
  if (!request.video.empty()) require_video_programs();
  std::string title;
  std::vector<std::string> runs;
  for (const std::filesystem::path& folder : request.folders) {
    const plot::RunData run = plot::read_run(folder);
    title += (title.empty() ? "" : " and ") + run.name;
    const PackedVisuals visuals = pack_visuals(run);
    for (const std::string& note : visuals.notes) print_error("note: " + note + "\n");
    runs.push_back(pack_run(run, visuals));
  }
  if (!request.video.empty()) {
    catch_interrupts();
    write_video(motion_page(title, runs, bundle, {.frames = request.frames}), request.video,
                request.frames);
    print_out(request.video.string() + "\n");
    return kDone;
  }
  const std::filesystem::path file =
      request.output.empty() ? request.folders.front() / "view.html" : request.output;
  replace_file(file, motion_page(title, runs, bundle, {}), false);
  print_out(file.string() + "\n");
  return kDone;
}

}  // namespace pequod::app
