// What is identified from our own logs.
#pragma once

#include "app/experiments/experiment.h"

namespace pequod::app {

/// Friction and masses of a sliding block, a thrown box and a trotting quadruped, from their run
/// folders as they are, and with noise of 1 % on all that a sensor would tell.
void fit_runs(const Stage& stage);

}  // namespace pequod::app
