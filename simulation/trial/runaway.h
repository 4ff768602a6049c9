// Steps whose energy shows that the integration has diverged, long before a number is not finite.
#pragma once

#include "simulation/trial/step_start.h"
#include "simulation/trial/trial.h"
#include "simulation/world.h"

namespace pequod {

/// Nothing but work of actuators and outer forces raises the energy of a step; what its own error
/// adds is a small part of what moves. A step that adds kRunaway times as much is no step: the
/// speeds are out of reach of integrator.step, as of a chain whose links whirl, and may come down
/// again by chance.
/// @param start, trial  the step
/// @param end           what it ends in
/// @throws DivergenceError  with the energies, and what to shorten or lower
void require_explained(const World& world, const StepStart& start, const Trial& trial,
                       const State& end);

}  // namespace pequod
