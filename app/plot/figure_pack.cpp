#include "app/plot/figure_pack.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/packed_numbers.h"

namespace pequod::app::plot {
namespace {

using nlohmann::ordered_json;

constexpr double kShare = 1e-5;  // of a column's range: finer than a screen shows in ten zooms

class FigurePacker {
 public:
  void add(const Figure& figure) {
    ordered_json panels = ordered_json::array(), marks = ordered_json::array();
    for (const Panel& panel : figure.panels) panels.push_back(panel_json(panel));
    for (const auto& [t, what] : figure.marks) marks.push_back({t, what});
    figures_.push_back({{"what", figure.what},
                        {"title", figure.title},
                        {"from", figure.from},
                        {"to", figure.to},
                        {"marks", marks},
                        {"panels", panels}});
  }

  [[nodiscard]] std::string packed() const {
    const ordered_json json{{"figures", figures_}, {"columns", columns_}};
    return packed_for_page(json.dump(-1, ' ', false, ordered_json::error_handler_t::replace),
                           bytes_);
  }

 private:
  // The number of the column.
  std::size_t column(const std::vector<double>& values, double unit_at_least, double share) {
    double low = INFINITY, high = -INFINITY;
    for (const double x : values) {
      if (!std::isfinite(x)) continue;
      low = std::min(low, x);
      high = std::max(high, x);
    }
    if (!(high >= low)) low = high = 0.0;
    double unit = std::max(unit_at_least, share * (high - low));
    if (unit == 0.0) unit = 1.0;  // all are the same
    std::vector<double> shifted;
    shifted.reserve(values.size());
    for (const double x : values) shifted.push_back(x - low);
    std::vector<std::int64_t> whole = quantised(shifted, unit);
    for (std::size_t i = 0; i < whole.size(); ++i)
      whole[i] = std::isfinite(values[i]) ? whole[i] + 1 : 0;
    const std::string packed = pack_integers(whole);
    columns_.push_back(
        {{"rows", values.size()}, {"bytes", packed.size()}, {"unit", unit}, {"low", low}});
    bytes_ += packed;
    return columns_.size() - 1;
  }

  // Lines share their times as a rule.
  std::size_t time_column(const std::vector<double>& t) {
    const auto known =
        std::ranges::find_if(times_, [&](const auto& entry) { return entry.first == t; });
    if (known != times_.end()) return known->second;
    times_.emplace_back(t, column(t, 1e-7, 1e-12));
    return times_.back().second;
  }

  ordered_json panel_json(const Panel& panel) {
    ordered_json lines = ordered_json::array(), lanes = ordered_json::array();
    for (const Series& series : panel.series) {
      ordered_json line{{"name", series.name}, {"t", time_column(series.x)}};
      line["y"] = column(series.y, 0.0, kShare);
      if (!series.band.empty()) line["band"] = column(series.band, 0.0, kShare);
      lines.push_back(line);
    }
    for (const Lane& lane : panel.lanes) {
      std::vector<double> from, to;
      for (const auto& [begin, end] : lane.bars) {
        from.push_back(begin);
        to.push_back(end);
      }
      lanes.push_back({{"name", lane.name},
                       {"from", time_column(from)},
                       {"to", time_column(to)},
                       {"ticks", time_column(lane.ticks)}});
    }
    return {{"label", panel.label}, {"lines", lines}, {"lanes", lanes}};
  }

  ordered_json figures_ = ordered_json::array(), columns_ = ordered_json::array();
  std::string bytes_;
  std::vector<std::pair<std::vector<double>, std::size_t>> times_;
};

}  // namespace

std::string pack_figures(std::span<const Figure> figures) {
  FigurePacker packer;
  for (const Figure& figure : figures) packer.add(figure);
  return packer.packed();
}

}  // namespace pequod::app::plot
