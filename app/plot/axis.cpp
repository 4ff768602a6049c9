#include "app/plot/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pequod::app::plot {

std::string Scale::text(double tick) const {
  if (logarithmic) return fmt::format("{:.3g}", tick);
  if (std::abs(tick) < 1e-9 * step) return "0";
  const double size = std::max(std::abs(low), std::abs(high));
  if (size >= 1e5 || size < 1e-3) return fmt::format("{:.3g}", tick);
  const int digits = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  return fmt::format("{:.{}f}", tick, digits);
}

Scale make_scale(double low, double high, int count, bool widen) {
  Scale scale;
  if (!std::isfinite(low) || !std::isfinite(high)) low = high = 0.0;
  // A constant has no size to go by: rounding must not fill the panel.
  const double least = std::max(1e-9 * std::max(std::abs(low), std::abs(high)), 1e-15);
  if (high - low < least) {
    const double room = std::max(std::abs(low) * 0.1, high == low && low == 0.0 ? 1.0 : least);
    low -= room;
    high += room;
  }
  const double rough = (high - low) / count;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  scale.step = power * 10.0;
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough * 0.999) {
      scale.step = factor * power;
      break;
    }
  const double first =
      widen ? std::floor(low / scale.step + 1e-9) : std::ceil(low / scale.step - 1e-9);
  const double last =
      widen ? std::ceil(high / scale.step - 1e-9) : std::floor(high / scale.step + 1e-9);
  for (double k = first; k <= last; ++k) scale.ticks.push_back(k * scale.step);
  scale.low = widen ? first * scale.step : low;
  scale.high = widen ? last * scale.step : high;
  return scale;
}

Scale make_log_scale(double low, double high, bool widen) {
  Scale scale;
  scale.logarithmic = true;
  if (!(low > 0.0) || !(low <= high) || !std::isfinite(high)) low = high = 1.0;
  double from = std::log10(low), to = std::log10(high);
  const double margin = widen ? 0.0 : std::max(0.15, 0.04 * (to - from));
  from = widen ? std::floor(from + 1e-9) : from - margin;
  to = widen ? std::ceil(to - 1e-9) : to + margin;
  if (!(from < to)) to = from + 1.0;
  scale.low = std::pow(10.0, from);
  scale.high = std::pow(10.0, to);
  const double each = std::max(1.0, std::ceil((to - from) / 8.0));
  const bool few = to - from < 2.5;
  for (double power = std::floor(from); power <= to + 1e-9; power += each)
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double at = power + std::log10(factor);
      if ((factor == 1.0 || few) && at >= from - 1e-9 && at <= to + 1e-9)
        scale.ticks.push_back(factor * std::pow(10.0, power));
    }
  return scale;
}

}  // namespace pequod::app::plot
