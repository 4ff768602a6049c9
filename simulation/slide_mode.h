// Slip of contacts with Coulomb friction at the acceleration level.
#pragma once

#include "contact/contact.h"
#include "core/state.h"

namespace pequod {

/// m/s: slip that starts has no direction of its own until it is faster, it keeps its first.
inline constexpr double kSlipHeld = 1e-6;
/// m/s: slip that ends keeps its last direction from here to zero, where all slower slip ends with
/// it: the corners of a body that spins stop one by one within 1e-8 s. What they would still cover,
/// v²/2μg, is 1e-15 m.
inline constexpr double kSlipRest = 1e-7;

/// Coefficient of friction of a contact without slip that no force holds: it would have to pull, or
/// to sink if it opened. Then it slides as under Coulomb's law, which has a solution.
inline constexpr double kYieldFriction = 10.0;

/// Tangential velocity of b against a at the contact point, m/s; zero for a joint limit.
[[nodiscard]] Vector3d slip_velocity(const Model& model, const Kinematics& kin,
                                     const Contact& contact);

}  // namespace pequod
