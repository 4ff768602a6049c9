// Equations of motion body by body, beside those that the simulator factors.
#pragma once

#include "core/dynamics.h"

namespace pequod::app::certify {

/// The generalised force that a motion asks for, by Newton and Euler of each link: with a_c and α
/// of the link,
///   Σ Jᵀ [I α + ω × I ω;  m (a_c − g)] + armatures,
/// J the Jacobian of its centre of mass. Neither the mass matrix, nor its factor, nor the bias
/// force of core/dynamics.h takes part.
/// @param kin      at (q, v); with v = 0 and no gravity this is M v̇
/// @param vdot     Model::nv, v̇
/// @param gravity  m/s², world axes
/// @return         Model::nv, N or N·m
[[nodiscard]] VectorXd newton_euler(const Model& model, const Kinematics& kin, const VectorXd& vdot,
                                    const Vector3d& gravity);

/// Adds Jᵀ [moment; force], a force (N, or N·s) at the point p_W of a link and a moment on it,
/// world axes; nothing where the link is the world (−1).
void add_wrench(const Model& model, const Kinematics& kin, int link, const Vector3d& p_W,
                const Vector3d& force_W, const Vector3d& moment_W, VectorXd& into);

/// √(2 × kinetic energy) of each tree, √J, from the velocities of its links and its armatures.
/// @param kin  at (q, v)
[[nodiscard]] std::vector<double> energy_roots(const Model& model, const Kinematics& kin,
                                               const VectorXd& v);

}  // namespace pequod::app::certify
