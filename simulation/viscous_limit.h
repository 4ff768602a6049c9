// How long a step may be before explicit viscous friction makes it unstable.
#pragma once

#include "simulation/options.h"

namespace pequod {

/// The fastest decay that viscous friction asks for in a state, 1/s: the largest eigenvalue of the
/// response of the slip of all contacts that touch to their own friction, μv W_tt, normals held.
/// 0 if the contact model has no such friction.
[[nodiscard]] double viscous_rate(const Scenario& scenario, const State& state);

/// Longest step with which the scenario's integrator does not amplify a decay at that rate, s; +∞
/// if any does: at rate 0, with implicit friction, or if the integrator chooses its own steps.
[[nodiscard]] double viscous_step_limit(const Scenario& scenario, double rate);

/// What to tell a user whose step is longer; empty if it is not.
[[nodiscard]] std::string viscous_warning(const Scenario& scenario, double rate);

}  // namespace pequod
