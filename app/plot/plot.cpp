#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "app/commands.h"
#include "app/exit_code.h"
#include "app/output.h"
#include "app/plot/comparison_data.h"
#include "app/plot/comparison_page.h"
#include "app/plot/figures.h"
#include "app/plot/pictures.h"
#include "simulation/record/run_folder.h"

namespace pequod::app {
namespace {

constexpr std::string_view kCompare = "compare";  // the figure of a comparison, not of a run

bool asks_for(const PlotRequest& request, std::string_view name) {
  return request.what.empty() || std::ranges::find(request.what, name) != request.what.end();
}

void write_figure(const PlotRequest& request, const std::filesystem::path& folder,
                  std::string_view name, const std::string& svg) {
  const std::filesystem::path file =
      request.output.empty() ? folder / fmt::format("{}.{}", name, request.format) : request.output;
  plot::write_picture(file, svg, request.format);
  print_out(file.string() + "\n");
}

// Error against cost, where the folder is that of a comparison or that figure is named.
// @return figures drawn
int plot_comparison(const PlotRequest& request, const std::filesystem::path& folder) {
  const bool is_one = std::filesystem::exists(folder / plot::kComparisonFile);
  if (!asks_for(request, kCompare) || (request.what.empty() && !is_one)) return 0;
  write_figure(request, folder, kCompare,
               plot::work_precision_svg(plot::read_comparison(folder), true));
  return 1;
}

int plot_run(const PlotRequest& request, const std::filesystem::path& folder) {
  const plot::RunData run = plot::read_run(folder);
  int drawn = 0;
  for (const plot::FigureKind& kind : plot::figure_kinds()) {
    if (!asks_for(request, kind.name)) continue;
    const plot::Figure figure = plot::make_figure(kind, run);
    if (figure.empty()) {
      if (request.what.empty()) continue;
      throw RunFolderRefused(
          fmt::format("{}: has nothing to draw for --what {}", folder.string(), kind.name));
    }
    write_figure(request, folder, kind.name, plot::figure_svg(figure, true));
    if (!figure.note.empty()) print_error(fmt::format("{}: {}\n", kind.name, figure.note));
    ++drawn;
  }
  return drawn;
}

// Whether only figures of comparisons are asked for.
bool only_compares(const PlotRequest& request) {
  return !request.what.empty() && std::ranges::all_of(request.what, [](const std::string& name) {
    return name == kCompare;
  });
}

}  // namespace

std::vector<std::string> plot_names() {
  std::vector<std::string> names;
  for (const plot::FigureKind& kind : plot::figure_kinds()) names.emplace_back(kind.name);
  names.emplace_back(kCompare);
  return names;
}

int plot_runs(const PlotRequest& request) {
  plot::require_format(request.format);
  for (const std::filesystem::path& folder : request.folders) {
    const int compared = plot_comparison(request, folder);
    if (only_compares(request) || (request.what.empty() && compared > 0)) continue;
    if (plot_run(request, folder) == 0)
      throw RunFolderRefused(fmt::format("{}: the run has written no rows yet", folder.string()));
  }
  return kDone;
}

}  // namespace pequod::app
