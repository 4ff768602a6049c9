// Figures of what touches: from contacts.csv, events.csv and steps.csv.
#pragma once

#include "app/plot/figure.h"
#include "app/plot/run_data.h"

namespace pequod::app::plot {

/// When each link or body that moves carries a force, as bars; when it was hit, as ticks.
[[nodiscard]] Figure gait_figure(const RunData& run);
/// Forces on each link or body that moves: the sums of normal and of tangential ones.
[[nodiscard]] Figure forces_figure(const RunData& run);
/// The deepest gap of all that touches, and of all pairs where steps were recorded.
[[nodiscard]] Figure gaps_figure(const RunData& run);
/// Pivots and residual of the contact solver, where steps were recorded.
[[nodiscard]] Figure solver_figure(const RunData& run);
/// Every event at its time, a lane a kind.
[[nodiscard]] Figure events_figure(const RunData& run);

}  // namespace pequod::app::plot
