#pragma once

#include <span>

#include "contact/solvers/least_distance.h"
#include "contact/solvers/least_distance_workspace.h"

namespace pequod {

/// A second opinion on solve_dual that shares none of its code: Lemke's method, regularised if
/// need be, on as_lcp. O(n³), it allocates, takes no warm start and gives no ray as a proof; a
/// result with an infeasibility above 10⁻¹⁰ is `failed` (mass ratios above 10⁴, rarely). It uses
/// `rank` and `contradiction` of the options only. Arguments and errors as in solve_dual.
void solve_least_distance_by_lemke(const LeastDistanceProblem& problem,
                                   const LeastDistanceOptions& options,
                                   std::span<const int> warm_start,
                                   LeastDistanceWorkspace& workspace,
                                   LeastDistanceSolution& solution);

}  // namespace pequod
