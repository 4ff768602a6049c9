// Impulses whose contacts turn within a step.
#pragma once

#include <span>

#include "simulation/trial/steps.h"

namespace pequod {

/// Impulses were found along the rows where the step starts, and leave no velocity along those of
/// its end, see find_turns(). Were they to act as found, they would do work on what they guide:
/// half the square of the angle of the turn, times its energy, gained in every step. So half of
/// each acts as it was found and half turned and moved with its contact to where the step ends,
/// which conserves energy to the order of the step (the trapezoidal rule along the path).
/// @param contacts  of the start
/// @param trial     raw: its end; in and out: its velocities there, and the work of impulses
/// @return v⁺ with what turned: what forces that are constant over the step end with
const VectorXd& turn_impulses(const StepTask& task, double tau,
                              std::span<const ContactImpulse> contacts, Trial& trial);

}  // namespace pequod
