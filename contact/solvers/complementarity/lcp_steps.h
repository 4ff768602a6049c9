#pragma once

#include <string_view>

#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/complementarity/lcp_workspace.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

// What every complementarity method begins and ends with, of an LcpProblem or a BoxProblem.

/// Checks the sizes, empties the solution and copies the warm start to workspace.start, which is
/// empty if there is none.
/// @return  false if the data are not finite; the solution then says so
template <class Problem>
bool begin_lcp(const Problem& problem, const VectorXd& warm_start, LcpWorkspace& workspace,
               LcpSolution& solution, std::string_view name);

/// Measures solution.z: `solved` if the residual is small enough, otherwise `failed` with the
/// reason already there, or that the residual is too large.
template <class Problem>
void finish_lcp(const Problem& problem, const LcpOptions& options, LcpSolution& solution);

/// Solves w = 0 anew on the rows where z is strictly between its bounds, with residuals in extended
/// precision, and keeps the result if it is a better solution: that removes the rounding which
/// pivots gathered.
template <class Problem>
void refine_lcp(const Problem& problem, LcpWorkspace& workspace, LcpSolution& solution);

/// After a failure: `no_solution` if p proves it, also if q changes by 10⁻¹⁰ of its largest entry.
/// Solutions beyond 10⁹ max |q| over max |M| do not count.
template <class Problem>
bool accept_certificate(const Problem& problem, const VectorXd& p, LcpSolution& solution);

/// After a failure: looks for p ≥ 0 with Mᵀp ≤ 0 and qᵀp < 0, which exists if and only if no z ≥ 0
/// has M z + q ≥ 0 (Farkas), by non-negative least squares. It allocates.
void look_for_certificate(const LcpProblem& problem, LcpSolution& solution);

}  // namespace pequod
