// Positions and velocities at the end of a step, brought onto what is held.
#pragma once

#include "simulation/trial/steps.h"

namespace pequod {

/// Places the links of the trial's end before it is projected, without their velocities.
void place_raw_end(const StepTask& task, Trial& trial);

/// Their velocities, for who asks: the books do where positions were projected.
void time_raw_end(const StepTask& task, Trial& trial);

/// Velocity level, where nothing moves the end any more: the terms of the trial, with the links of
/// the raw end if that is where it is. A copy would cost a third of what places them.
void take_raw_end(const StepTask& task, Trial& trial);

/// Acceleration level: closes held gaps at the end of a smooth step and takes away the velocity
/// along their rows; contacts that leave are moved up to zero. Keeps the end before that.
/// @param last  terms of the last stage, where what is held has been factored last
void close_step(const StepTask& task, const Evaluator& last, Trial& trial);

/// Closes held gaps of the trial by the rows at hand, those of `start`, and where the bodies turn
/// too far for them by Newton's method, from the unprojected end. Where that is out of reach, as
/// behind a jam, it stays so: the jam is found as such.
void close_gaps(const StepTask& task, const Evaluator& start, Trial& trial);

/// Rows of what is held at the end of the trial, and the velocity that keeps them.
void hold_velocity(const StepTask& task, HeldTangents tangents, Trial& trial);

/// Velocity level: moves those of these contacts, found at the end of the trial, that are below
/// zero there to zero, together with what is held and what was raised before. Velocities stay.
void raise_sunk_contacts(const StepTask& task, const Touching& found, Trial& trial);

}  // namespace pequod
