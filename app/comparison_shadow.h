// The shadows of a comparison: one run more, whose contact problems all its models solve.
#pragma once

#include <string>
#include <vector>

#include "app/comparison.h"
#include "app/comparison_run.h"

namespace pequod::app {

/// Runs it in the folder `shadow` beside the runs, as the row's run but with the other models at
/// its side, and waits for it; Ctrl-C ends it. Its time is no row's cost.
/// @param run     of the row, whose settings it has
/// @param models  names; those that the run is compared with
[[nodiscard]] ComparisonShadows run_shadows(const ComparisonRun& run, const ComparisonRow& row,
                                            const std::vector<std::string>& models);

}  // namespace pequod::app
