// Contacts moved along a motion, and how their rows turn.
#pragma once

#include <array>
#include <vector>

#include "core/dynamics.h"
#include "simulation/touching.h"

namespace pequod::app::certify {

/// m/s² along n, s and t of each contact: the rate of its velocity, J v̇ + J̇ v, by the difference of
/// the velocities 1 µs ahead and behind, where its features are followed to. Of joint limits v̇
/// along their row. Known to 1e-10/s of the velocity, and the square of an angle that turns in 1
/// µs.
[[nodiscard]] std::vector<Vector3d> followed_rates(const Model& model, const VectorXd& q,
                                                   const VectorXd& v, const VectorXd& vdot,
                                                   const Touching& touching);

/// The trees of links a and b of a contact; −1: the world.
[[nodiscard]] std::array<int, 2> trees_of(const Model& model, const Contact& contact);

/// Velocity of b against a along n, s and t of a contact, m/s; of a joint limit its row and zeros.
/// @param kin  with velocities v
[[nodiscard]] Vector3d velocity_of(const Model& model, const Kinematics& kin,
                                   const Contact& contact, const VectorXd& v);

/// d of each contact, √kg: (tr W/3)^−½ of its own response to impulses along n, s and t, of a joint
/// limit W^−½; 0 where nothing moves along them.
[[nodiscard]] std::vector<double> contact_units(const Model& model, const Kinematics& kin,
                                                const MassFactor& factor,
                                                const std::vector<Contact>& contacts);

}  // namespace pequod::app::certify
