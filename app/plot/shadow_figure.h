// What other models make of a run's contact problems, over time.
#pragma once

#include "app/plot/figure.h"
#include "app/plot/run_data.h"

namespace pequod::app::plot {

/// Differences of impulses as shares of them, and the energy that each model takes, summed up.
[[nodiscard]] Figure models_figure(const RunData& run);

}  // namespace pequod::app::plot
