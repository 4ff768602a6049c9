#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "contact/solvers/least_distance/block_pivoting.h"
#include "contact/solvers/least_distance/reduced_problem.h"
#include "contact/solvers/linear/active_set_factor.h"
#include "contact/solvers/linear/poison.h"

namespace pequod {

/// Buffers of the least-distance solvers. They grow to the largest problem met, after which a
/// solve allocates nothing. A workspace carries no meaning from one solve to the next.
struct LeastDistanceWorkspace {
  ReducedProblem problem;
  ActiveSetFactor factor;
  BlockPivotingWorkspace blocks;
  Eigen::VectorXd y;  ///< the iterate, in the coordinates of the reduced problem
  Eigen::VectorXd u;  ///< multipliers of factor.rows(), same order
  Eigen::VectorXd g, r;
  std::vector<int> ray;             ///< rows of a proof of infeasibility
  std::vector<std::uint64_t> seen;  ///< hashes of the sets met (`ppm`)

  void poison() { pequod::poison(problem, factor, blocks, y, u, g, r, ray, seen); }
};

}  // namespace pequod
