// How a rigid body turns by itself.
#pragma once

#include "core/types.h"

namespace pequod {

/// The turn of a rigid body on which no moment acts, over τ (s), by the midpoint rule: its angular
/// momentum m in body axes goes from m₀ = I w₀ to m₁ with
///   m₁ − m₀ = τ m̄ × I⁻¹ m̄,   m̄ = ½ (m₀ + m₁)
/// which keeps |m| and the energy ½ m·I⁻¹m for any τ (Hairer, Lubich & Wanner 2006, sec. VII.5).
/// m₁ is m₀ turned by an angle 2 atan(½ τ |I⁻¹ m̄|) about −I⁻¹ m̄: a body that turns by as much about
/// the opposite axis keeps its angular momentum in the world too. Second order.
/// @param I   kg m², about the centre of mass, body axes, positive definite
/// @param w0  rad/s, body axes
/// @return    φ, rad: R₁ = R₀ exp(φ)
[[nodiscard]] Vector3d free_turn(const Matrix3d& I, const Vector3d& w0, double tau);

}  // namespace pequod
