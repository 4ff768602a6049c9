#pragma once

#include "contact/solvers/least_distance/least_distance.h"
#include "contact/solvers/least_distance/least_distance_workspace.h"

namespace pequod {

/// A second opinion on solve_dual's set of active rows, from all of M = HᵀH: H the unit rows that
/// the equalities leave. The multipliers solve the linear complementarity problem of M and
/// q = Hᵀy₀ − c by Lemke's method, regularised if need be. Of that only the set is kept: y and f
/// come from a factor of its rows, whose condition is the root of that of M. Where rounding in M
/// made the set wrong (mass ratios above 10⁴, 1 problem in 3000), or its rows are dependent, dual
/// steps mend it, and `switches` is 1; they also find the proof where there is no solution.
///
/// O(n³), it allocates and takes no warm start. Arguments and errors as
/// LeastDistanceMethod says.
LeastDistanceMethod solve_least_distance_by_lemke;

}  // namespace pequod
