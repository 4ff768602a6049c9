// Viscous contact friction as an applied force.
#pragma once

#include "simulation/touching.h"

namespace pequod {

/// Adds −(SᵀS + TᵀT) μv v of all geometric contacts (Drumwright 2015, eq. 13) to a generalised
/// force. @param floating  contacts to leave out (1), none if empty
void add_viscous_friction(const Model& model, const Kinematics& kin, const Touching& touching,
                          const std::vector<char>& floating, VectorXd& force);

/// Adds `share` of that of one contact.
void add_viscous_friction(const Model& model, const Kinematics& kin, const Contact& contact,
                          double share, VectorXd& force);

/// That friction at one contact, N on b, world axes.
[[nodiscard]] Vector3d viscous_friction(const Model& model, const Kinematics& kin,
                                        const Contact& contact);

}  // namespace pequod
