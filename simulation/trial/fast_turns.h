// Trees with joints that turn fast in a step of symplectic Euler.
#pragma once

#include <span>

#include "core/model.h"

namespace pequod {

/// With Coriolis and gyroscopic forces of the start of a step trees with joints gain energy in
/// each, (h ω)² of it, and light links that spin blow up. Taken at the middle, as far as a step
/// with those of the start tells it (the midpoint rule after Heun's predictor), these gain (h ω)⁴,
/// and the energy drifts by the order of the step no more. What moves slowly keeps to the start,
/// which is half the work; what has contacts too, up to turns a hundred times as far: walking, the
/// error of the energy is two fifths of that with forces of the middle. Bodies without joints turn
/// by themselves: see free_bodies.h.
/// @param touched  of each link, 1: a contact is on it
/// @param v0, v1   at the start, and at the end by what acts at the start
/// @param middle   out: the mean of both of trees that turn by more than kTurnInFlight or
///                 kTurnInContact in τ (s), v0 of all others
/// @return whether there are such trees
[[nodiscard]] bool find_middle(const Model& model, std::span<const char> touched,
                               const VectorXd& v0, const VectorXd& v1, double tau,
                               VectorXd& middle);

}  // namespace pequod
