// The end of a step of impulses of islands that are solved in the coordinates of their bodies.
#pragma once

#include "simulation/trial/steps.h"

namespace pequod {

/// Moves the bodies of these islands apart where contacts of the start are below zero at the end of
/// the trial: by the least motion in the norm of their energy, with the rows of the start, again
/// until none is deeper than kStillTouches. Gaps that have opened stay open, and velocities are
/// those of the impulses: nothing is held at zero, which rows of hundreds of bodies would cost
/// most. What is left, or nobody foresaw, is for Stepper::raise().
/// @param contacts  those of the step
void move_apart(const StepTask& task, const std::vector<ContactImpulse>& contacts, Trial& trial);

}  // namespace pequod
