// The parts of the experiment `simbenchmark` that have no published error.
#pragma once

#include "app/experiments/experiment.h"

namespace pequod::app {

/// 1 to 25 robots that stand by springs and dampers.
void standing_robots(const Stage& stage);
/// A tower of 102 blocks: how long it stands.
void kapla_tower(const Stage& stage);

}  // namespace pequod::app
