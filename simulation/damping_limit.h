// How long a step may be before explicit damping of joints and springs makes it unstable.
#pragma once

#include <string>

#include "simulation/evaluate.h"
#include "simulation/options.h"

namespace pequod {

/// The fastest decay that the damping d of joints and springs asks for, 1/s: the largest eigenvalue
/// of M⁻¹ Σ d rᵀr, r the rows of the rates that are damped. Loops, if there are some, may leave a
/// slower one.
[[nodiscard]] double damping_rate(const Evaluator& here);

/// The same at the start of the run. Without damping masses are not asked for.
[[nodiscard]] double damping_rate_at_start(const Scenario& scenario);

/// Longest step with which the integrator does not amplify a decay at that rate (1/s), s; +∞ at
/// rate 0, or if it chooses its own steps.
[[nodiscard]] double longest_stable_step(const IntegratorOptions& integrator, double rate);

/// What to tell a user whose integrator.step is longer than that, and how to mend it; empty if it
/// is not.
/// @param rate  of damping, 1/s
[[nodiscard]] std::string damping_warning(const Scenario& scenario, double rate);

/// The same of the damping here or at the start of the run, as a motion that has blown up may pass
/// where the step would be short enough.
[[nodiscard]] std::string damping_note(const Scenario& scenario, const Evaluator& here);

/// Damping takes energy: over a step h of constant forces h v₀ᵀD (v₀ + v₁)/2. Where other forces
/// turn a velocity round within the step that is less than nothing, but with decays of h λ ≤ 2 it
/// is never below −(√2 − 1) of the kinetic energies of v₀ and v₁ together, whatever v₁ is: (x −
/// 1)/(1 + x²) ≤ (√2 − 1)/2. A decay with h λ > 2 that grows by itself, v₁ = (1 − h λ) v₀, is below
/// that from h λ = 2.6 on. Forces of another velocity than v₀, that of a step without its impulses,
/// give no more than 2 (√(K K₀) + √(K K₁)), K the kinetic energies of it and of both ends.
/// @param start  terms at the start of the step
/// @param other  that velocity, or none
/// @param loss   J, what damping took
/// @param still  m/s: what all bodies have at this speed, or less, is none
/// @throws DivergenceError  with the joint, the rate and how to mend it, if it gave more
void require_damping(const Scenario& scenario, const Evaluator& start, const VectorXd& v0,
                     const VectorXd& v1, const VectorXd* other, double loss, double still);

}  // namespace pequod
