// Parts of `pequod experiment mechanisms` that are files of their own.
#pragma once

#include "app/experiments/experiment.h"

namespace pequod::app {

void flyball(const Stage& stage);

}  // namespace pequod::app
