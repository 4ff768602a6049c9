// Springs and dampers between two points.
#pragma once

#include <span>

#include "core/dynamics.h"

namespace pequod {

/// Where a spring is.
struct SpringLine {
  Vector3d p_W_A, p_W_B;              ///< m, its ends in the world
  double length = 0.0;                ///< m
  Vector3d along = Vector3d::Zero();  ///< unit vector from A to B; zero where they coincide
};
[[nodiscard]] SpringLine spring_line(const Spring& spring, std::span<const Pose> X_WL);
[[nodiscard]] SpringLine spring_line(const Spring& spring, const Kinematics& kin);

/// Σ ½ k (l − rest)², J.
[[nodiscard]] double spring_energy(const Model& model, const Kinematics& kin);

/// row ← row + scale · ∂l/∂q: the rate of the length is ∂l/∂q · v.
void add_length_row(const Model& model, const Kinematics& kin, const Spring& spring,
                    const SpringLine& line, double scale, VectorXd& row);

/// Adds the generalised forces of all springs to `force`, without their dampers.
void add_spring_forces(const Model& model, const Kinematics& kin, VectorXd& force);

/// Adds d · dl/dt · ∂l/∂q of all dampers, which is what resists the motion, to `damping`.
void add_damper_forces(const Model& model, const Kinematics& kin, const VectorXd& v,
                       VectorXd& damping);

}  // namespace pequod
