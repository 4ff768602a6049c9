// Friction and masses identified from a run folder.
#pragma once

#include "app/commands.h"

namespace pequod::app {

/// Prints the friction of each pair, the mass of each free body and robot, and what contacts felt
/// of masses at impacts. @return the exit code
int fit_run(const FitRequest& request);

}  // namespace pequod::app
