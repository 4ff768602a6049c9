// A planar object that robots move slowly by frictional contact (Pang, Trinkle & Lo 1994).
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "contact/quasistatic/mode.h"
#include "contact/quasistatic/uncoupled.h"

namespace pequod {

/// The data of sec. 2. Contact normals point into the object; a tangent is its normal turned by
/// +90°. Wrenches and q̇ are about one point, in one frame.
struct QuasistaticProblem {
  Eigen::MatrixXd W_n, W_t;        ///< n_q×n_c, wrench on the object of a unit force
  Eigen::MatrixXd J_n, J_t;        ///< n_c×n_θ, contact velocity by unit joint velocity
  std::vector<char> driven;        ///< n_θ: the joint's velocity is given (α), else its effort
  Eigen::VectorXd joint_velocity;  ///< n_θ, rad/s or m/s; read where driven
  Eigen::VectorXd joint_effort;    ///< n_θ, N·m or N; read where not driven
  Eigen::VectorXd object_load;     ///< n_q, g_obj: what acts on the object beside the contacts
  Eigen::VectorXd joint_load;      ///< n_θ, g_man: what external forces demand of the joints
  Eigen::VectorXd friction;        ///< n_c, μ ≥ 0

  [[nodiscard]] Eigen::Index contacts() const { return friction.size(); }
  [[nodiscard]] Eigen::Index joints() const { return joint_velocity.size(); }
};

struct QuasistaticMotion {
  Eigen::VectorXd object_velocity;     ///< n_q, q̇
  Eigen::VectorXd joint_velocity;      ///< n_θ, θ̇
  Eigen::VectorXd v_n, v_t;            ///< n_c, m/s, of the object's point relative to the other's
  Eigen::VectorXd c_n, c_t;            ///< n_c, N, on the object
  Eigen::VectorXd joint_effort;        ///< n_θ, τ
  std::vector<QuasistaticMode> modes;  ///< n_c
};

/// Largest violations, by the equations' numbers in print, in the problem's units.
struct QuasistaticResiduals {
  double object_balance = NAN;  ///< (2)
  double joint_balance = NAN;   ///< (3)
  double kinematics = NAN;      ///< (4), (5)
  double penetration = NAN;     ///< (6)
  double cone = NAN;            ///< (7)
  double contact = NAN;         ///< (8), (9): the lesser of c_n and v_n
  double slip = NAN;            ///< (10): the lesser of |v_t| and the friction left
  double product = NAN;         ///< xᵀy

  [[nodiscard]] double worst() const;  ///< of (2)–(10)
};

/// X and Y of sec. 2, with x = (v_n, v_t⁺, v_t⁻) and y = (c_n, s_t⁺, s_t⁻). The rows of X are an
/// orthonormal basis of the complement of P's columns, in place of the projector Z.
/// @throws std::invalid_argument  with the sizes, if they do not fit together
[[nodiscard]] UncoupledProblem uncoupled(const QuasistaticProblem& problem);

/// The contacts' velocities by those of object and free joints: v = P (q̇, θ̇_ᾱ) − J_α θ̇_α with
/// v = (v_n, v_t). Its transpose turns contact forces into loads on object and free joints.
[[nodiscard]] Eigen::MatrixXd free_directions(const QuasistaticProblem& problem);

/// J_α θ̇_α, 2 n_c, normal rows first.
[[nodiscard]] Eigen::VectorXd driven_velocity(const QuasistaticProblem& problem);

/// What the forces have to balance: Pᵀ(c_n, c_t) = −(g_obj, τ_ᾱ − g_man,ᾱ), this right-hand side.
[[nodiscard]] Eigen::VectorXd balanced_load(const QuasistaticProblem& problem);

/// Velocities, forces and modes of a pair (x, y).
[[nodiscard]] QuasistaticMotion motion_of(const QuasistaticProblem& problem,
                                          const Eigen::VectorXd& x, const Eigen::VectorXd& y);

/// From the problem's data alone.
[[nodiscard]] QuasistaticResiduals residuals(const QuasistaticProblem& problem,
                                             const QuasistaticMotion& motion);

}  // namespace pequod
