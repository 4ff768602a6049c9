// The paths of feet in the links trot.
#pragma once

#include <array>

#include "core/types.h"

namespace pequod {

/// C² piecewise cubic through 2 to 4 points at equal intervals, at rest at both ends in velocity
/// and acceleration. A cubic spline has two coefficients too few for that: two more knots at 1/1000
/// of the first and last interval make room.
struct FootSpline {
  double start = 0.0, duration = 0.0;  ///< s
  int points = 0;
  std::array<Vector3d, 4> point;  ///< m
};

struct FootMotion {
  Vector3d p, v, a;  ///< m, m/s, m/s²
};

/// @param t  s; held at the ends outside [start, start + duration]
[[nodiscard]] FootMotion evaluate(const FootSpline& spline, double t);

}  // namespace pequod
