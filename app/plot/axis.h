// Round numbers along an axis.
#pragma once

#include <cmath>
#include <string>
#include <vector>

namespace pequod::app::plot {

/// Values low … high along a line, widened to a round number of ticks if asked to.
struct Scale {
  double low = 0.0, high = 1.0;
  bool logarithmic = false;
  std::vector<double> ticks;
  double step = 1.0;

  /// Whether a value has a place along it.
  [[nodiscard]] bool has(double x) const { return std::isfinite(x) && (!logarithmic || x > 0.0); }
  /// 0 … 1.
  [[nodiscard]] double at(double x) const {
    return logarithmic ? std::log(x / low) / std::log(high / low) : (x - low) / (high - low);
  }
  [[nodiscard]] std::string text(double tick) const;
};

/// About `count` ticks at 1, 2 or 5 times a power of ten.
/// @param widen  whether the ends go to the next tick
[[nodiscard]] Scale make_scale(double low, double high, int count, bool widen);
/// Logarithmic, 0 < low ≤ high: ticks at powers of ten, nine at most, and at 2 and 5 times these
/// where there are few. About 1 where there is no value.
/// @param widen  whether the ends go to powers of ten; else there is a margin
[[nodiscard]] Scale make_log_scale(double low, double high, bool widen);

}  // namespace pequod::app::plot
