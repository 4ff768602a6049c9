#pragma once

#include <span>

#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/complementarity/lcp_workspace.h"
#include "contact/solvers/least_distance/least_distance.h"
#include "contact/solvers/least_distance/least_distance_workspace.h"

namespace pequod {

/// The modified principal pivoting method of Drumwright 2015, Algorithm 1, on an updated
/// orthogonal factor: the most violated row enters the set B, and a row with a negative multiplier
/// leaves it, if need be in the same iteration.
///
/// As printed it loops for ever on some boxes with 64 or more contacts, and the matrix of the set
/// can become singular. Here the sets met are remembered; when one returns, or a dependent row is
/// to enter, the dual steps of solve_dual finish the problem from there and `switches` is 1.
///
/// Arguments, ties and errors as in solve_dual.
void solve_ppm(const LeastDistanceProblem& problem, const LeastDistanceOptions& options,
               std::span<const int> warm_start, LeastDistanceWorkspace& workspace,
               LeastDistanceSolution& solution);

/// The same with a workspace of its own.
[[nodiscard]] LeastDistanceSolution solve_ppm(const LeastDistanceProblem& problem,
                                              const LeastDistanceOptions& options = {},
                                              std::span<const int> warm_start = {});

/// The same for an LCP with symmetric positive semidefinite M, see solve_lcp_by_least_distance.
void solve_lcp_by_ppm(const LcpProblem& problem, const LcpOptions& options,
                      const Eigen::VectorXd& warm_start, LcpWorkspace& workspace,
                      LcpSolution& solution);

}  // namespace pequod
