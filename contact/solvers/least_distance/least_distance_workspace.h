#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/solvers/least_distance/block_pivoting.h"
#include "contact/solvers/least_distance/reduced_problem.h"
#include "contact/solvers/linear/active_set_factor.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Buffers of the least-distance solvers. They grow to the largest problem met, after which a
/// solve allocates nothing. A workspace carries no meaning from one solve to the next.
struct LeastDistanceWorkspace {
  ReducedProblem problem;
  ActiveSetFactor factor;
  BlockPivotingWorkspace blocks;
  VectorXd y;  ///< the iterate, in the coordinates of the reduced problem
  VectorXd u;  ///< multipliers of factor.rows(), same order
  VectorXd g, r;
  std::vector<int> ray;             ///< rows of a proof of infeasibility
  std::vector<std::uint64_t> seen;  ///< hashes of the sets met (`ppm`)

  void poison() { pequod::poison(problem, factor, blocks, y, u, g, r, ray, seen); }
};

/// What every solver of least-distance problems looks like.
/// @param warm_start  rows to begin with, such as `active` of the last step; dependent ones are
///                    skipped and those with negative multipliers dropped. It changes the work, and
///                    if f is not unique the choice of f, but not y.
/// @param solution    every field is overwritten; its buffers are kept
/// @throws std::invalid_argument  if the sizes do not fit together or a row does not exist
using LeastDistanceMethod = void(const LeastDistanceProblem& problem,
                                 const LeastDistanceOptions& options,
                                 std::span<const int> warm_start, LeastDistanceWorkspace& workspace,
                                 LeastDistanceSolution& solution);

}  // namespace pequod
