// Slip of contacts with Coulomb friction at the acceleration level.
#pragma once

#include "contact/contact.h"
#include "core/state.h"

namespace pequod {

/// m/s: slower slip has no direction of its own, the one it had is held.
inline constexpr double kSlipHeld = 1e-6;
/// m/s: slower slip that does not start is none. What it would still cover, v²/2μg, is 1e-15 m.
inline constexpr double kSlipRest = 1e-7;

/// Tangential velocity of b against a at the contact point, m/s; zero for a joint limit.
[[nodiscard]] Vector3d slip_velocity(const Model& model, const Kinematics& kin,
                                     const Contact& contact);

}  // namespace pequod
