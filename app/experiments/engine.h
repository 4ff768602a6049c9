// The parts of the experiment `engine` (Drumwright & Shell 2010, Figs. 3 and 4).
#pragma once

#include "app/experiments/experiment.h"

namespace pequod::app {

/// Times of contact solves of one cylinder, beside those of Lemke's method on pyramids.
void engine_solves(const Stage& stage);

}  // namespace pequod::app
