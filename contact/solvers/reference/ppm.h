#pragma once

#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/complementarity/lcp_workspace.h"
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
/// Ties as in solve_dual, arguments and errors as LeastDistanceMethod says.
LeastDistanceMethod solve_ppm;

/// The same for an LCP with symmetric positive semidefinite M, see solve_lcp_by_least_distance.
ComplementarityMethod<LcpProblem> solve_lcp_by_ppm;

}  // namespace pequod
