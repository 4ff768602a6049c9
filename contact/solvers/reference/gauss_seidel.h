#pragma once

#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/complementarity/lcp_workspace.h"

namespace pequod {

/// Projected Gauss–Seidel: row after row, z is moved to where its own w is zero, or to its bound
/// (Cottle, Pang & Stone 1992, sec. 5.2). It needs Mᵢᵢ > 0 and converges if M is symmetric and
/// positive definite, slowly if M is badly conditioned; it stops when the residual is below 10⁻² of
/// what is asked, or no longer falls. Each sweep counts as a pivot.
/// Arguments and errors as ComplementarityMethod says.
ComplementarityMethod<LcpProblem> solve_lcp_by_gauss_seidel;
ComplementarityMethod<BoxProblem> solve_box_by_gauss_seidel;

}  // namespace pequod
