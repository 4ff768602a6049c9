#pragma once

#include <string_view>
#include <vector>

#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/least_distance/least_distance.h"
#include "contact/solvers/least_distance/least_distance_workspace.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Buffers of `dual` and `ppm` for complementarity problems.
struct LcpLeastDistanceWorkspace {
  MatrixXd rest;    ///< n×n, what the factor leaves of M
  VectorXd length;  ///< √Mᵢᵢ
  LeastDistanceProblem problem;
  LeastDistanceSolution solution;
  LeastDistanceWorkspace workspace;
  std::vector<int> start;

  void poison() { pequod::poison(rest, length, problem, workspace, start); }
};

/// An LCP with symmetric positive semidefinite M as a least-distance problem: with M = GᵀG, where G
/// has as many rows as M has rank (Cholesky with diagonal pivoting), z are the multipliers of
/// min ½|y|² subject to Gᵀy ≥ −q, by `method`. G cannot be better than M: where rows nearly repeat,
/// rounding of M is all that is left of their difference. An M that is not symmetric positive
/// semidefinite is a failure. A ray proves that there is no solution. Arguments and errors as
/// ComplementarityMethod says; `name` is told as that of the solver.
void solve_lcp_by_least_distance(LeastDistanceMethod* method, std::string_view name,
                                 const LcpProblem& problem, const LcpOptions& options,
                                 const VectorXd& warm_start, LcpWorkspace& workspace,
                                 LcpSolution& solution);

/// By solve_dual, which cannot cycle.
ComplementarityMethod<LcpProblem> solve_lcp_by_dual;

}  // namespace pequod
