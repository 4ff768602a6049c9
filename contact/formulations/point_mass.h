// A point mass on a floor with friction, three ways (Pfrommer 2019, LCP Notes, sec. 2.7).
#pragma once

#include <Eigen/Dense>
#include <cmath>

#include "contact/solvers/complementarity/lcp_problem.h"

namespace pequod {

/// In the plane, touching the floor whose normal is +y. The step is 1, so forces count as
/// impulses.
struct PointMass {
  double mass = NAN;                               ///< kg
  double friction = NAN;                           ///< μ
  double g = NAN;                                  ///< m/s²
  Eigen::Vector2d velocity = {NAN, NAN};           ///< m/s, before the step
  Eigen::Vector2d push = Eigen::Vector2d::Zero();  ///< u, N·s
  double restitution = 0.0;                        ///< Newton's, 0…1: n·v' ≥ −e n·v
};

/// What a step gives.
struct PointMassStep {
  double normal = NAN;                    ///< λc, N·s
  Eigen::Vector2d friction = {NAN, NAN};  ///< (λ⁺, λ⁻), N·s, along +x and −x
  double gamma = NAN;                     ///< bound of the sliding speed, m/s
  Eigen::Vector2d velocity = {NAN, NAN};  ///< m/s, after the step
};

/// Anitescu's form: z = (v', λc, λ⁺, λ⁻, γ), the first two rows equalities. The vector of the
/// equalities is −(M v + forces); print has it with the other sign.
[[nodiscard]] MlcpProblem anitescu_point_mass(const PointMass& body);

/// Belbute-Peres' matrices with x = −v' and z = (λc, λ⁺, λ⁻, γ): M x + Gᵀz = q with
/// q = −M v − forces, and 0 ≤ z ⊥ F z − G x + m ≥ 0.
struct BelbutePeresForm {
  Eigen::Matrix2d M;
  Eigen::Vector2d q;
  Eigen::Matrix<double, 4, 2> G;
  Eigen::Matrix4d F;
  Eigen::Vector4d m;
};
[[nodiscard]] BelbutePeresForm belbute_peres_point_mass(const PointMass& body);
/// The same as a mixed problem in (x, z).
[[nodiscard]] MlcpProblem as_mixed(const BelbutePeresForm& form);

/// The velocity eliminated: z = (λc, λ⁺, λ⁻, γ).
[[nodiscard]] LcpProblem eliminated_point_mass(const PointMass& body);

/// What the z of each of the forms means.
[[nodiscard]] PointMassStep anitescu_step(const Eigen::VectorXd& z);
[[nodiscard]] PointMassStep belbute_peres_step(const Eigen::VectorXd& x_z);
[[nodiscard]] PointMassStep eliminated_step(const PointMass& body, const Eigen::VectorXd& z);

}  // namespace pequod
