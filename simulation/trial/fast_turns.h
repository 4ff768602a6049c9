// Trees with joints that turn fast in a step of symplectic Euler.
#pragma once

#include "core/model.h"

namespace pequod {

/// With Coriolis and gyroscopic forces of the start of a step trees with joints gain energy in
/// each, (h ω)² of it, and those of light links that spin blow up. Taken at the middle, once
/// (Heun's predictor and the midpoint rule), they gain (h ω)⁴ and drift by the order of the step no
/// more. What moves slowly keeps to the start, which is half the work. Bodies without joints turn
/// by themselves: see free_bodies.h.
/// @param v0, v1  at the start, and at the end by what acts at the start
/// @param middle  out: at the middle of the step of trees that turn by more than kFastTurn in it,
/// at
///                the start of all others
/// @return whether there are such trees
[[nodiscard]] bool find_middle(const Model& model, const VectorXd& v0, const VectorXd& v1,
                               double tau, VectorXd& middle);

}  // namespace pequod
