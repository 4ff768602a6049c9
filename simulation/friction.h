// Viscous contact friction as an applied force.
#pragma once

#include <span>

#include "simulation/held/held_set.h"

namespace pequod {

/// Adds −(SᵀS + TᵀT) μv v of all geometric contacts (Drumwright 2015, eq. 13) to a generalised
/// force. @param laws  of the contacts, if they are held: those that float are left out
void add_viscous_friction(const Model& model, const Kinematics& kin, const Touching& touching,
                          std::span<const HeldLaw> laws, VectorXd& force);

/// Adds `share` of that of one contact.
void add_viscous_friction(const Model& model, const Kinematics& kin, const Contact& contact,
                          double share, VectorXd& force);

/// L⁻ᵀ times all of that of one contact of an island, without what the island's loops take of it.
/// @param pull        gets it
/// @param generalised storage
void find_viscous_pull(const Evaluator& here, const Island& island, const ContactProblem& problem,
                       const Contact& contact, VectorXd& pull, VectorXd& generalised);

/// That friction at one contact, N on b, world axes.
[[nodiscard]] Vector3d viscous_friction(const Model& model, const Kinematics& kin,
                                        const Contact& contact);

}  // namespace pequod
