#pragma once

#include <span>

#include "contact/solvers/least_distance/least_distance.h"
#include "contact/solvers/least_distance/least_distance_workspace.h"

namespace pequod {

/// A second opinion on solve_dual that shares none of its code.
///
/// The equalities leave min ½|x − x₀|² over Hᵀx ≥ d, y = y_e + Z x, in a basis Z of the null space
/// of Eᵀ and with y_e the shortest solution of Eᵀy = e (the reduction of Drumwright 2015, eq.
/// 8–10). Its multipliers solve the linear complementarity problem M = HᵀH, q = Hᵀx₀ − d, by
/// Lemke's method, regularised if need be. Of that only the set of active rows is kept: y and f
/// come from a factorisation of those rows, whose condition is the root of that of M. Where
/// rounding in M made the set wrong (mass ratios above 10⁴, 1 problem in 3000), non-negative least
/// squares on H find another, and `switches` is 1.
///
/// O(n³), it allocates, takes no warm start and gives no ray as a proof. Of the options it uses
/// `rank`, `contradiction` and `residual`. Arguments and errors as in solve_dual.
void solve_least_distance_by_lemke(const LeastDistanceProblem& problem,
                                   const LeastDistanceOptions& options,
                                   std::span<const int> warm_start,
                                   LeastDistanceWorkspace& workspace,
                                   LeastDistanceSolution& solution);

}  // namespace pequod
