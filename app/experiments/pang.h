// Parts of the experiments of Pang, Trinkle & Lo (1994, sec. 5).
#pragma once

#include "app/experiments/experiment.h"

namespace pequod::app {

void pang_data_sets(const Stage& stage);
void pang_friction_grid(const Stage& stage);
void pang_random(const Stage& stage);
void pang_enumeration(const Stage& stage);
void slow_push(const Stage& stage);

}  // namespace pequod::app
