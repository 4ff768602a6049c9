#pragma once

#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/complementarity/lcp_workspace.h"

namespace pequod {

/// min ½zᵀMz + qᵀz within bounds, M symmetric positive semidefinite, which is the same problem as
/// the LCP or box: gradient projection (Nocedal & Wright 2006, sec. 16.7). The Cauchy point along
/// the bent path of steepest descent, scaled by the diagonal, then conjugate gradients on the rows
/// that are free there, then a projected search. The set it ends on is solved once more directly.
/// Each pass counts as a pivot. A direction without bound is a proof that there is no solution.
/// Arguments and errors as SolveComplementarity says.
void solve_lcp_by_gradient_projection(const LcpProblem& problem, const LcpOptions& options,
                                      const Eigen::VectorXd& warm_start, LcpWorkspace& workspace,
                                      LcpSolution& solution);
void solve_box_by_gradient_projection(const BoxProblem& problem, const LcpOptions& options,
                                      const Eigen::VectorXd& warm_start, LcpWorkspace& workspace,
                                      LcpSolution& solution);

}  // namespace pequod
