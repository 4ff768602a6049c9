// Numbers as our JSON writes them.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

namespace pequod::app {

/// x, or "nan", "inf", "-inf": JSON has no number for these.
[[nodiscard]] inline nlohmann::ordered_json json_number(double x) {
  if (std::isfinite(x)) return x;
  return std::isnan(x) ? "nan" : x > 0.0 ? "inf" : "-inf";
}

}  // namespace pequod::app
