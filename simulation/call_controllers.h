// Controllers, called when they are due.
#pragma once

#include "simulation/evaluate.h"
#include "simulation/world.h"

namespace pequod {

/// No tick has passed, and each controller initialises its memory.
/// @param here  stands at the state afterwards, if there is any controller
void start_controllers(const World& world, Evaluator& here, State& state);

/// Controllers whose tick has come write their efforts, which are held from then on (State::tau):
/// a mode may not outlast that.
/// @throws DivergenceError  if an effort is not finite
void call_due_controllers(const World& world, Evaluator& here, State& state);

}  // namespace pequod
