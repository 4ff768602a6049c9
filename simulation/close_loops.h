// Loops closed at the start of a run.
#pragma once

#include "core/state.h"

namespace pequod {

/// Moves q by the least change in the M metric until every loop of the model is closed, and v until
/// none has a velocity. Velocities that are not zero stay as they are, as far as the loops allow,
/// in the order of the coordinates: a crank is given its speed, and the rest of the linkage
/// follows.
/// @return what stays open, m or rad: rounding, unless the loops cannot be closed from here
double close_loops(const Model& model, State& state);

}  // namespace pequod
