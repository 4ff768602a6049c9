// Random problems of one workpiece touched by point fingers (Pang, Trinkle & Lo 1994, sec. 5).
#pragma once

#include <cstdint>

#include "contact/quasistatic/problem.h"

namespace pequod {

struct RandomQuasistatic {
  int contacts = 3;
  double friction = 1.0;  ///< μ uniform in (0, friction)
  int free_joints = 0;    ///< |ᾱ| of the 2 n_c joints
  std::uint64_t seed = 1;
};

/// X and Y are not empty: loads are those of forces drawn inside the cones, and joint velocities
/// those of an object that moves while its contacts part or stay. Whether x and y complement each
/// other is left to chance, as in print. Contacts stand on a rounded workpiece of size 1; finger i
/// has two joints, a general linear map of them its velocity.
[[nodiscard]] QuasistaticProblem random_quasistatic(const RandomQuasistatic& options);

}  // namespace pequod
