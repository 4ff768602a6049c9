// Angles that were probably meant in degrees.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <span>
#include <string>

#include "scene/diagnostics.h"

namespace pequod {

/// What turns or limits by more than a turn was probably not meant in radians.
inline bool more_than_a_turn(double angle) {
  return std::isfinite(angle) && std::abs(angle) > 2.0 * std::numbers::pi + 1e-3;
}

inline std::string degrees_hint(double angle) {
  return fmt::format("degrees? {:g} degrees are {:.6g} rad", angle,
                     angle * std::numbers::pi / 180.0);
}

/// One warning about the first of some angles, in rad, that is more than a turn.
inline void warn_of_degrees(Diagnostics& diagnostics, const Place& place, const std::string& what,
                            std::span<const double> angles) {
  for (const double angle : angles) {
    if (!more_than_a_turn(angle)) continue;
    diagnostics.warning(place, fmt::format("{}: {:g} rad is more than a turn", what, angle),
                        degrees_hint(angle));
    return;
  }
}

}  // namespace pequod
