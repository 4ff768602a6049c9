// Viscous friction of what is held: how fast it acts, and a step that takes it implicitly.
#pragma once

#include "simulation/held/accelerate.h"

namespace pequod {

/// The fastest decay that viscous friction asks for, 1/s: the largest eigenvalue of μv W_tt, the
/// response of all slips, the held rows staying held. @param held  factored with tangents present
[[nodiscard]] double viscous_rate(const HeldFactor& held, HeldWorkspace& workspace);

/// As accelerate(), with viscous friction that acts with the velocity at the end of a step h of
/// symplectic Euler, v + h v̇: backward Euler in the friction alone, stable with any μv. Shares of
/// floating contacts' friction stay explicit.
/// @param held      factored with tangents present
/// @param force     as there, without the viscous friction of contacts
/// @param friction  generalised; that friction is added
void accelerate_implicitly(const Evaluator& here, const HeldFactor& held, const VectorXd& v,
                           double h, const VectorXd& force, VectorXd& vdot, VectorXd& friction,
                           HeldMotion& out, HeldWorkspace& workspace);

}  // namespace pequod
