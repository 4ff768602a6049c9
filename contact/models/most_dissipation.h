// Solutions of Coulomb's law that leave the least kinetic energy as well.
#pragma once

#include "contact/models/contact_model.h"

namespace pequod {

/// Proves that a solution of Coulomb's law solves QP 1 of Drumwright & Shell (2010): of impulses
/// that push no harder than without friction and stay in their cones, none leave less energy. QP 1
/// is convex, so its velocities are then these. They are known to a rounding of each body, where a
/// method that compares energies knows them to the root of what it leaves of the largest, and its
/// sum of all normal impulses lets a light body's contact push by a share of a heavy one's load.
///
/// The proof are multipliers λ ≥ 0 of u_n ≥ 0 and σ ≥ 0 of Σ r_n ≤ κ with
///
///   n_iᵀw = c_i + σ − μ_i |slip_i|,  T_iᵀw = 0,  w = N λ
///
/// at contacts that touch: w takes them apart, the less the faster they slip, and pushes of
/// contacts alone make it. With the same and all n_iᵀw = 1 what bodies do along w tells whether
/// Σ r_n is κ, body by body.
/// @param solution  of Coulomb's law
/// @return          false also where there may be such multipliers, as of slips that differ by a
///                  spin
[[nodiscard]] bool dissipates_most(const ContactProblem& problem, const LeastDistanceSolver& solver,
                                   const ContactSolution& solution, ContactWorkspace& workspace);

}  // namespace pequod
