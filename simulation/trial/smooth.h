// Trial steps by the smooth equations of motion.
#pragma once

#include "simulation/trial/steps.h"

namespace pequod {

/// v̇ at (q, v) with what the trial holds as equalities, in trial.motion.
void accelerate(const StepTask& task, Evaluator& terms, const VectorXd& q, const VectorXd& v,
                Trial& trial);

/// Without projection and impulses: over τ (s), with what the trial holds. State, work, v̇ and the
/// error of the trial. @return the terms of the last stage
const Evaluator& integrate(const StepTask& task, double tau, Trial& trial);
/// Work of forces that are constant over the step, which ends at the velocity v_end: exact for a
/// constant M.
void book_constant_forces(const StepTask& task, double tau, const VectorXd& v_end, Trial& trial);

/// Acceleration level: the step to τ (s) with what the trial holds, projected onto it.
/// @param set  that, where the step starts
void take_smooth_step(const StepTask& task, const HeldSet& set, double tau, Trial& trial);

/// @throws DivergenceError  with the name of the body whose velocity is not finite
void require_finite(const World& world, const StepStart& start, const State& state);

/// Largest normal force of a contact that slides, N.
[[nodiscard]] double sliding_load(const HeldSet& held, const std::vector<double>& normal);

}  // namespace pequod
