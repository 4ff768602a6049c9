#pragma once

#include <Eigen/Dense>
#include <vector>

#include "contact/solvers/lcp_problem.h"
#include "contact/solvers/least_distance.h"
#include "contact/solvers/least_distance_workspace.h"
#include "contact/solvers/poison.h"

namespace pequod {

struct LcpWorkspace;

/// Buffers of `dual` and `ppm` for complementarity problems.
struct LcpLeastDistanceWorkspace {
  Eigen::MatrixXd rest;    ///< n×n, what the factor leaves of M
  Eigen::VectorXd length;  ///< √Mᵢᵢ
  LeastDistanceProblem problem;
  LeastDistanceSolution solution;
  LeastDistanceWorkspace workspace;
  std::vector<int> start;

  void poison() { pequod::poison(rest, length, problem, workspace, start); }
};

/// An LCP with symmetric positive semidefinite M as a least-distance problem: with M = GᵀG, where G
/// has as many rows as M has rank (Cholesky with diagonal pivoting), z are the multipliers of
/// min ½|y|² subject to Gᵀy ≥ −q. Then solve_dual or solve_ppm, which cannot cycle. G cannot be
/// better than M: where rows nearly repeat, rounding of M is all that is left of their difference.
/// An M that is not symmetric positive semidefinite is a failure. A ray proves that there is no
/// solution. Arguments and errors as SolveComplementarity says.
void solve_lcp_by_dual(const LcpProblem& problem, const LcpOptions& options,
                       const Eigen::VectorXd& warm_start, LcpWorkspace& workspace,
                       LcpSolution& solution);
void solve_lcp_by_ppm(const LcpProblem& problem, const LcpOptions& options,
                      const Eigen::VectorXd& warm_start, LcpWorkspace& workspace,
                      LcpSolution& solution);

/// True if |M − Mᵀ| ≤ 10⁻¹² max |Mᵢⱼ| and no diagonal entry is negative. What else makes M positive
/// semidefinite, a factor must tell.
[[nodiscard]] bool may_be_semidefinite(const Eigen::MatrixXd& M);

}  // namespace pequod
