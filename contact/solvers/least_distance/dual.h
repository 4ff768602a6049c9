#pragma once

#include "contact/solvers/least_distance/least_distance.h"
#include "contact/solvers/least_distance/least_distance_workspace.h"

namespace pequod {

/// Dual active-set method (Goldfarb & Idnani 1983), in O(m³ + m²n): it starts from y₀, or from the
/// warm start, and brings in the most violated row, letting go of those whose multiplier would
/// turn negative. The dual objective rises strictly, so it cannot cycle. The n×n matrix GᵀG is
/// never formed. Ties go to the lowest row number, so a solve repeats bit for bit.
LeastDistanceMethod solve_dual;

}  // namespace pequod
