// Slip of contacts with Coulomb friction at the acceleration level.
#pragma once

#include "contact/contact.h"
#include "core/state.h"
#include "simulation/tolerances.h"

namespace pequod {

/// Tangential velocity of b against a at the contact point, m/s; zero for a joint limit.
[[nodiscard]] Vector3d slip_velocity(const Model& model, const Kinematics& kin,
                                     const Contact& contact);

}  // namespace pequod
