#pragma once

#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/complementarity/lcp_workspace.h"

namespace pequod {

/// An LCP with symmetric positive semidefinite M as min ½zᵀMz + qᵀz, z ≥ 0, by
/// solve_quadratic_program. Steps that run off prove that there is no solution. Arguments and
/// errors as SolveComplementarity says; the warm start is the first centre.
void solve_lcp_by_active_set(const LcpProblem& problem, const LcpOptions& options,
                             const Eigen::VectorXd& warm_start, LcpWorkspace& workspace,
                             LcpSolution& solution);

}  // namespace pequod
