// Curves of an experiment as one picture.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace pequod::app {

struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< (x, y), x rising
};

struct Chart {
  std::string title, x_label, y_label;
  bool logarithmic_x = false;
  std::vector<Curve> curves;
  bool logarithmic_y = false;
};

/// The curves with their points, axes and names: one SVG document. Points that have no place on a
/// logarithmic axis are left out.
[[nodiscard]] std::string chart_svg(const Chart& chart);

}  // namespace pequod::app
