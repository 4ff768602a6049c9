// Directions of slips that creep: too slow for a step to follow how they settle.
//
// Friction c turns a slip of speed s at the rate c/s. Where the forces on a contact nearly balance
// its friction, s stays small while its direction moves slowly, and an explicit method is unstable
// unless h c/s < 2.8. There the friction acts against the direction d that the slip has a lead λ
// ahead, which is that of v_t + λ v̇_t(d): implicit in d, as in Hairer & Wanner 1996, sec. IV.3,
// so that directions settle at the rate 1/λ at most. It is turned back by the angle λ ω, ω the rate
// at which it turned in a first trial of the step, as the slip would be off by that angle: what is
// left is an error of O(h²) of it. Symplectic Euler takes the direction at its end, λ = h.
#pragma once

#include "simulation/trial/steps.h"

namespace pequod {

/// v̇ of trial.motion.free, there without what is held, becomes v̇ with it, where the directions of
/// creeping slips are aimed: found in rounds, d ← direction of v_t + λ (v̇_t + c d).
/// @param terms  stands where the trial's rows were factored
void accelerate_aimed(const StepTask& task, const Evaluator& terms, Trial& trial);

/// The directions of creeping slips lead in a step of this length, s.
void lead_slips(const StepTask& task, double h);

/// From here on aims are turned back, by what they turn in the time that they lead, at the rate of
/// this trial.
void lay_aims_back(const StepTask& task, const Trial& trial);

/// Before the stages of a trial: the aims of the first, if they are known, else none.
void begin_aims(const StartRates& rates, HeldFactor& held);
void keep_aims(const HeldSet& held, std::vector<Vector3d>& aims);

/// rad, by which the aims of creeping slips turned from the first stage to the end of the trial.
[[nodiscard]] double turn_of_aims(const StepTask& task, const Trial& trial);

}  // namespace pequod
