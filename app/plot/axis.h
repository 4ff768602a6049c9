// Round numbers along an axis.
#pragma once

#include <string>
#include <vector>

namespace pequod::app::plot {

/// Values low … high along a line, widened to a round number of ticks if asked to.
struct Scale {
  double low = 0.0, high = 1.0;
  std::vector<double> ticks;
  double step = 1.0;

  /// 0 … 1.
  [[nodiscard]] double at(double x) const { return (x - low) / (high - low); }
  [[nodiscard]] std::string text(double tick) const;
};

/// About `count` ticks at 1, 2 or 5 times a power of ten.
/// @param widen  whether the ends go to the next tick
[[nodiscard]] Scale make_scale(double low, double high, int count, bool widen);

}  // namespace pequod::app::plot
