// Trial steps at the velocity level: impulses once a step.
#pragma once

#include "simulation/trial/steps.h"

namespace pequod {

/// A step to τ (s) without contact, then the impulses that the contact model finds over it, and a
/// projection onto the contacts that stay closed.
/// @param wanted_islands  1 for those to solve for; empty: all
/// @throws ContactError  if the solver finds no impulses
void take_impulse_step(const StepTask& task, double tau, std::span<const char> wanted_islands,
                       Trial& trial);

/// v⁺ of every wanted island in trial.v_plus from the free velocity trial.state.v, the modes of its
/// joints, and the work that the impulses do from v₀ to v⁺.
void solve_impulses(const StepTask& task, double tau, std::span<const char> wanted_islands,
                    Trial& trial, std::vector<ContactImpulse>& contacts);

/// v after an impact without rebound, slip or turn of the pairs of shapes that move as one.
/// @return J, what it takes
[[nodiscard]] double move_as_one(const Model& model, const Evaluator& start,
                                 const std::vector<ShapePair>& pairs, VectorXd& v);

}  // namespace pequod
