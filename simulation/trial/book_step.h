// The energy ledger of a step that is accepted.
#pragma once

#include "simulation/trial/step_start.h"
#include "simulation/trial/trial.h"

namespace pequod {

/// Books work and losses of the step in its end.
/// @param trial  the step, from `start`
/// @param out    its end, with the velocity that is kept; its ledger is written
void book_step(const Model& model, const StepStart& start, const Trial& trial, State& out);

}  // namespace pequod
