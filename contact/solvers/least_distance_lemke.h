#pragma once

#include <span>

#include "contact/solvers/least_distance.h"
#include "contact/solvers/least_distance_workspace.h"
#include "contact/solvers/lemke.h"

namespace pequod {

/// A least-distance problem as a linear complementarity problem in the multipliers of its unit
/// rows: M = ĜᵀPĜ and q = Ĝᵀ(y_e + P y₀) − ĉ, P the projector to the null space of Eᵀ, y_e the
/// shortest solution of Eᵀy = e (the reduction of Drumwright 2015, eq. 8–10).
/// @throws std::invalid_argument  if the sizes do not fit together
[[nodiscard]] LcpProblem as_lcp(const LeastDistanceProblem& problem,
                                const LeastDistanceOptions& options = {});

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
