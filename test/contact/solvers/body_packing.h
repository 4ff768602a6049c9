#pragma once

#include <random>

#include "contact/solvers/friction/bodies/body_problem.h"
#include "contact/solvers/friction/friction_problem.h"

namespace pequod::test {

struct BodyPacking {
  int edge = 4;    ///< bodies along each side of a cubic lattice in an open box
  int points = 1;  ///< contacts between two neighbours: 1 as of balls, 4 as of bricks
  double friction = 0.3;
  double speed = 0.0;       ///< m/s of random velocities beside 5 ms of gravity
  double mass_ratio = 1.0;  ///< heaviest over lightest, chosen at random between
};

/// Bodies of radius 1 dm on a disturbed lattice, each in contact with its neighbours, the ground
/// and the walls. Contacts sorted by body.
BodyProblem body_packing(const BodyPacking& packing, std::mt19937_64& random);

/// The same by its dense W = J Jᵀ.
FrictionProblem dense_problem(const BodyProblem& problem);

}  // namespace pequod::test
