// Articulated-body inertias: forward dynamics in O(n), and test impulses.
#pragma once

#include <vector>

#include "core/dynamics.h"

namespace pequod {

/// Per link, about O in world axes (Featherstone 2008, ch. 7). Reused without allocation.
struct ArticulatedBody {
  using Columns = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6>;
  using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;
  std::vector<Matrix6d> inertia;  ///< felt at the link, its subtree moving freely
  std::vector<Columns> U;         ///< inertia · S
  std::vector<Block> D_inverse;   ///< (Sᵀ U + armature)⁻¹
};

void compute_articulated(const Model& model, const Kinematics& kin, ArticulatedBody& body);

/// v̇ for efforts τ without contact (ABA). Equals M⁻¹ (τ − h) of the dense formulation.
void forward_dynamics(const Model& model, const Kinematics& kin, const ArticulatedBody& body,
                      const VectorXd& tau, VectorXd& vdot);

/// Velocity change M⁻¹ Jᵀ p after the impulse p_W (N·s) acts on `link` at point_W: one unit
/// impulse propagated through the articulated bodies (Mirtich 1996, test impulse).
void impulse_response(const Model& model, const Kinematics& kin, const ArticulatedBody& body,
                      int link, const Vector3d& point_W, const Vector3d& p_W, VectorXd& dv);

}  // namespace pequod
