// Contacts moved along a motion, and how their rows turn.
#pragma once

#include <vector>

#include "core/dynamics.h"
#include "simulation/touching.h"

namespace pequod::app::certify {

/// m/s² along n, s and t of each contact: the rate of its velocity, J v̇ + J̇ v, by the difference of
/// the velocities at 10 µs ahead and behind, to where its features are followed. Of joint limits v̇
/// along their row. What it is known to is 1e-10 of the largest velocity over that time, and the
/// third derivative of the motion.
[[nodiscard]] std::vector<Vector3d> followed_rates(const Model& model, const VectorXd& q,
                                                   const VectorXd& v, const VectorXd& vdot,
                                                   const Touching& touching);

/// Velocity of b against a along n, s and t of a contact, m/s; of a joint limit its row and zeros.
/// @param kin  with velocities v
[[nodiscard]] Vector3d velocity_of(const Model& model, const Kinematics& kin,
                                   const Contact& contact, const VectorXd& v);

/// d, √kg: (tr W/3)^−½ of a contact's own response to impulses along n, s and t; 0 if it has none.
[[nodiscard]] double unit_of(const Model& model, const Kinematics& kin, const MassFactor& factor,
                             const Contact& contact);

}  // namespace pequod::app::certify
