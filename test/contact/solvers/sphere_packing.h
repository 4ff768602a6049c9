#pragma once

#include <random>

#include "contact/solvers/friction/friction_problem.h"

namespace pequod::test {

/// Spheres in a box of edge³ places of a disturbed cubic lattice, each in contact with its
/// neighbours and the walls: about 3 edge³ contacts, W as sparse as that of a true packing.
/// @param speed  m/s of random velocities beside one step of gravity; 0: a pile at rest
SparseFrictionProblem sphere_packing(int edge, double closed, double speed, double mu,
                                     std::mt19937_64& random);

}  // namespace pequod::test
