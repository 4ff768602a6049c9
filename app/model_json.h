// What moves and what it looks like, for readers of a run folder.
#pragma once

#include <string>

#include "simulation/options.h"

namespace pequod::app {

/// model.json of docs/run-folder.md: links with their joints, named frames, shapes and loops,
/// enough to place everything by the columns of state.csv. SI units; a pose is [x, y, z, qw, qx,
/// qy, qz]. One line each, newline at the end.
[[nodiscard]] std::string model_json(const Scenario& scenario);

}  // namespace pequod::app
