#include <fmt/format.h>

#include <algorithm>

#include "app/commands.h"
#include "app/exit_code.h"
#include "app/output.h"
#include "app/plot/figures.h"
#include "app/plot/pictures.h"
#include "simulation/record/run_folder.h"

namespace pequod::app {

std::vector<std::string> plot_names() {
  std::vector<std::string> names;
  for (const plot::FigureKind& kind : plot::figure_kinds()) names.emplace_back(kind.name);
  return names;
}

int plot_runs(const PlotRequest& request) {
  plot::require_format(request.format);
  for (const std::filesystem::path& folder : request.folders) {
    const plot::RunData run = plot::read_run(folder);
    int drawn = 0;
    for (const plot::FigureKind& kind : plot::figure_kinds()) {
      const bool all = request.what.empty();
      if (!all &&
          std::find(request.what.begin(), request.what.end(), kind.name) == request.what.end())
        continue;
      const plot::Figure figure = plot::make_figure(kind, run);
      if (figure.empty()) {
        if (all) continue;
        throw RunFolderRefused(
            fmt::format("{}: has nothing to draw for --what {}", folder.string(), kind.name));
      }
      const std::filesystem::path file =
          request.output.empty() ? folder / fmt::format("{}.{}", kind.name, request.format)
                                 : request.output;
      plot::write_picture(file, plot::figure_svg(figure, true), request.format);
      print_out(file.string() + "\n");
      if (!figure.note.empty()) print_error(fmt::format("{}: {}\n", kind.name, figure.note));
      ++drawn;
    }
    if (drawn == 0)
      throw RunFolderRefused(fmt::format("{}: the run has written no rows yet", folder.string()));
  }
  return kDone;
}

}  // namespace pequod::app
