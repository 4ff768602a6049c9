// The parts of the experiment `work-precision`; their figures: a public study of the cost of
// precision.
#pragma once

#include "app/experiments/experiment.h"

namespace pequod::app {

/// Eight and twenty bodies that fall into a bin: depth, energy, cost at a measured error.
void clutter(const Stage& stage);
/// A ball on a gantry that pushes a box.
void push(const Stage& stage);

}  // namespace pequod::app
