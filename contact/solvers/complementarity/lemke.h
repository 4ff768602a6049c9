#pragma once

#include <Eigen/Dense>

#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/complementarity/lcp_workspace.h"

namespace pequod {

/// Lemke's method, lexicographic ties (Cottle, Pang & Stone 1992, sec. 4.4 and 4.9), for any M.
/// A warm start begins from the basis of its positive entries, and from scratch if that fails.
///
/// Where it fails or leaves a residual, Tikhonov regularisation follows: the same with M + λI for
/// λ = 10⁻¹⁴ … 10⁻⁴ max |Mᵢⱼ| (Cottle, Pang & Stone 1992, sec. 5.6; Drumwright 2015, sec. VII),
/// each λ repeated around its own result while that halves the residual; `switches` counts the λ.
/// The set of a result is solved once more from the problem, which removes the rounding of pivots.
///
/// A ray is `no_solution` if it, or a search of its own, proves that; for copositive-plus M a ray
/// always does. Otherwise it is a failure. Arguments and errors as ComplementarityMethod says.
ComplementarityMethod<LcpProblem> solve_lcp_by_lemke;

/// The same with a workspace of its own.
[[nodiscard]] LcpSolution solve_lemke(const LcpProblem& problem, const LcpOptions& options = {});

}  // namespace pequod
