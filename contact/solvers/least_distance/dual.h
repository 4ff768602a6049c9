#pragma once

#include <span>

#include "contact/solvers/least_distance/least_distance.h"
#include "contact/solvers/least_distance/least_distance_workspace.h"

namespace pequod {

/// Dual active-set method (Goldfarb & Idnani 1983), in O(m³ + m²n): it starts from y₀, or from the
/// warm start, and brings in the most violated row, letting go of those whose multiplier would
/// turn negative. The dual objective rises strictly, so it cannot cycle. The n×n matrix GᵀG is
/// never formed. Ties go to the lowest row number, so a solve repeats bit for bit.
///
/// @param warm_start  rows to begin with, such as `active` of the last step; dependent ones are
///                    skipped and those with negative multipliers dropped. It changes the work, and
///                    if f is not unique the choice of f, but not y.
/// @param solution    every field is overwritten; its buffers are kept
/// @throws std::invalid_argument  if the sizes do not fit together or a row does not exist
void solve_dual(const LeastDistanceProblem& problem, const LeastDistanceOptions& options,
                std::span<const int> warm_start, LeastDistanceWorkspace& workspace,
                LeastDistanceSolution& solution);

/// The same with a workspace of its own.
[[nodiscard]] LeastDistanceSolution solve_dual(const LeastDistanceProblem& problem,
                                               const LeastDistanceOptions& options = {},
                                               std::span<const int> warm_start = {});

}  // namespace pequod
