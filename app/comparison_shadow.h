// The shadows of a comparison: one run more, whose contact problems all its models solve.
#pragma once

#include <string>
#include <vector>

#include "app/comparison.h"
#include "app/comparison_run.h"

namespace pequod::app {

/// What they are of: the row's run, once more in the folder `shadow` beside the runs.
[[nodiscard]] ComparisonShadows shadows_of(const ComparisonRun& run, const ComparisonRow& row);

/// Starts it as the row's run but with the other models at its side. Its time is no row's cost.
/// @param run     of the row, whose settings it has
/// @param models  names; those that the run is compared with
[[nodiscard]] Program start_shadows(const ComparisonRun& run, const ComparisonShadows& shadows,
                                    const std::vector<std::string>& models);

/// Once it has ended: what it has found, and why if it did not go to its end.
void finish_shadows(const Program& program, ComparisonShadows& shadows);

}  // namespace pequod::app
