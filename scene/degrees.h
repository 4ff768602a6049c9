// Angles that were probably meant in degrees.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <span>
#include <string>

#include "scene/diagnostics.h"

namespace pequod {

/// Turns beyond which an angle was probably not meant in radians. Joints of public robots may turn
/// by 9.42 or 10 rad either way.
inline constexpr int kTurns = 1, kTurnsOfLimits = 2;

inline bool more_than(int turns, double angle) {
  return std::isfinite(angle) && std::abs(angle) > turns * 2.0 * std::numbers::pi + 1e-3;
}

inline std::string degrees_hint(double angle) {
  return fmt::format("degrees? {:g} degrees are {:.6g} rad", angle,
                     angle * std::numbers::pi / 180.0);
}

/// One warning about the first of some angles, in rad, that is more than so many turns.
inline void warn_of_degrees(Diagnostics& diagnostics, const Place& place, const std::string& what,
                            std::span<const double> angles, int turns = kTurns) {
  for (const double angle : angles) {
    if (!more_than(turns, angle)) continue;
    diagnostics.warning(place,
                        fmt::format("{}: {:g} rad is more than {}", what, angle,
                                    turns == 1 ? "a turn" : fmt::format("{} turns", turns)),
                        degrees_hint(angle));
    return;
  }
}

}  // namespace pequod
