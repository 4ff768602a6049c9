#pragma once

#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/complementarity/lcp_workspace.h"

namespace pequod {

/// Semismooth Newton on the function of Fischer & Burmeister, φ(a, b) = a + b − √(a² + b²), with a
/// line search on |Φ|² (De Luca, Facchinei & Kanzow 1996), for any M; rows with two bounds by
/// Billups' φ(z − l, −φ(u − z, −w)). The z of each row is scaled to the unit of its w. Where the
/// Jacobian is singular or gives no descent, a Levenberg–Marquardt step is taken instead. The set
/// it ends on is solved once more directly. A failure is searched for a proof that there is no
/// solution. Arguments and errors as ComplementarityMethod says.
ComplementarityMethod<LcpProblem> solve_lcp_by_newton;
ComplementarityMethod<BoxProblem> solve_box_by_newton;

}  // namespace pequod
