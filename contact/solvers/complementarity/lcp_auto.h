#pragma once

#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/complementarity/lcp_workspace.h"

namespace pequod {

// The default chains, and boxes by way of an LCP. Arguments and errors as
// ComplementarityMethod says; `solver` of the solution names the method of the LCP that produced z.

/// `dantzig` and `dual` if M is symmetric, then `lemke`, then `semismooth-newton`.
ComplementarityMethod<LcpProblem> solve_lcp_auto;

/// By an LCP (see BoxReduction), which the chain above solves, then `semismooth-newton` on the box.
ComplementarityMethod<BoxProblem> solve_box_auto;

/// By an LCP (see BoxReduction), which Lemke's method solves.
ComplementarityMethod<BoxProblem> solve_box_by_lemke;

}  // namespace pequod
