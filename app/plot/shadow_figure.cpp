#include "app/plot/shadow_figure.h"

#include <cmath>

#include "app/shadow_totals.h"

namespace pequod::app::plot {
namespace {

// The line of this name, at the end if it is new.
Series& line_of(const std::string& name, Panel& panel) {
  for (Series& series : panel.series)
    if (series.name == name) return series;
  panel.series.push_back({name, {}, {}});
  return panel.series.back();
}

void add_point(double x, double y, Series& series) {
  series.x.push_back(x);
  series.y.push_back(y);
}

}  // namespace

Figure models_figure(const RunData& run) {
  Figure figure;
  figure.title = "the same contact problems by other models";
  if (!run.shadow || run.shadow->rows == 0) return figure;
  const LogTable& shadow = *run.shadow;
  const std::vector<double>&t = shadow.at("t"), &solved = shadow.at("solved"),
        &loss = shadow.at("loss");
  const std::vector<double> shares = shadow_shares(shadow);
  Panel apart{"difference of impulses (share)", {}, {}}, taken{"energy taken, summed (J)", {}, {}};
  const std::string& own = shadow.word("model", 0);
  for (std::size_t row = 0; row < shadow.rows; ++row) {
    const std::string& model = shadow.word("model", row);
    Series& energy = line_of(model, taken);
    add_point(t[row], (energy.y.empty() ? 0.0 : energy.y.back()) + loss[row], energy);
    if (model != own)
      add_point(t[row], solved[row] != 0.0 ? shares[row] : NAN, line_of(model, apart));
  }
  if (!apart.series.empty()) figure.panels.push_back(apart);
  figure.panels.push_back(taken);
  return figure;
}

}  // namespace pequod::app::plot
