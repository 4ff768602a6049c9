#pragma once

#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/complementarity/lcp_workspace.h"

namespace pequod {

// The default chains, and boxes by way of an LCP. Arguments and errors as SolveComplementarity
// says; `solver` of the solution names the method of the LCP that produced z.

/// `dantzig` and `dual` if M is symmetric, then `lemke`, then `semismooth-newton`.
void solve_lcp_auto(const LcpProblem& problem, const LcpOptions& options,
                    const Eigen::VectorXd& warm_start, LcpWorkspace& workspace,
                    LcpSolution& solution);

/// By an LCP (see BoxReduction), which the chain above solves, then `semismooth-newton` on the box.
void solve_box_auto(const BoxProblem& problem, const LcpOptions& options,
                    const Eigen::VectorXd& warm_start, LcpWorkspace& workspace,
                    LcpSolution& solution);

/// By an LCP (see BoxReduction), which Lemke's method solves.
void solve_box_by_lemke(const BoxProblem& problem, const LcpOptions& options,
                        const Eigen::VectorXd& warm_start, LcpWorkspace& workspace,
                        LcpSolution& solution);

/// The mixed problem as a box with infinite bounds, in workspace.box.
/// @throws std::invalid_argument  if the sizes do not fit together
const BoxProblem& as_box(const MlcpProblem& problem, LcpWorkspace& workspace);

}  // namespace pequod
