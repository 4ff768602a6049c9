// How long a step may be before explicit joint damping makes it unstable.
#pragma once

#include <string>

#include "simulation/evaluate.h"
#include "simulation/options.h"

namespace pequod {

/// The fastest decay that the damping d of the joints asks for, 1/s: the largest eigenvalue of
/// M⁻¹ diag(d). Loops, if there are some, may leave a slower one.
[[nodiscard]] double damping_rate(const Evaluator& here);

/// What to tell a user whose integrator.step is too long for that here or at the start of the run
/// (a motion that has blown up may pass where it would be long enough), and how to mend it; empty
/// if it is not, or if the integrator chooses its own steps.
[[nodiscard]] std::string damping_note(const Scenario& scenario, const Evaluator& here);

/// Damping takes energy: over a step h of constant forces h v₀ᵀD (v₀ + v₁)/2. Where other forces
/// turn a velocity round within the step that is less than nothing, but with decays of h λ ≤ 2 it
/// is never below −(√2 − 1) of the kinetic energies of v₀ and v₁ together, whatever v₁ is: (x −
/// 1)/(1 + x²) ≤ (√2 − 1)/2. A decay with h λ > 2 that grows by itself, v₁ = (1 − h λ) v₀, is below
/// that from h λ = 2.6 on.
/// @param start  terms at the start of the step
/// @param loss   J, what damping took
/// @throws DivergenceError  with the joint, the rate and how to mend it, if it gave more
void require_damping(const Scenario& scenario, const Evaluator& start, const VectorXd& v0,
                     const VectorXd& v1, double loss);

}  // namespace pequod
