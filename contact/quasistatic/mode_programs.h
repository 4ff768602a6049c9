// The linear programs that a search through contact modes solves thousands of, made small.
#pragma once

#include <Eigen/Dense>
#include <optional>

#include "contact/programs/linear_program.h"
#include "contact/quasistatic/problem.h"

namespace pequod {

/// Least yᵀx over x in X, and least xᵀy over y in Y, with some contacts bound to modes. Both have
/// as many rows as the object and the free joints have velocities, and two columns a contact:
///   Y: c = a (1, μ) + b (1, −μ) with a, b ≥ 0, the edges of the cone, so that s_t⁺ = 2 μ a and
///      s_t⁻ = 2 μ b;  Pᵀc = load.
///   X by its dual: least Dᵀλ over Pᵀλ = 0, λ_n ≤ c_n, −s_t⁻ ≤ λ_t ≤ s_t⁺, with D the driven
///      velocities; its prices are (q̇, θ̇_ᾱ), and X is empty where it is unbounded. A zero of x
///      takes the bound of its λ away.
/// Answers are good to the 1e-9 of the simplex method.
class ModePrograms {
 public:
  explicit ModePrograms(const QuasistaticProblem& problem);

  void bind(Eigen::Index contact, QuasistaticMode mode);
  void release(Eigen::Index contact);

  /// (v_n, v_t⁺, v_t⁻) of least yᵀx; nothing where none are possible.
  [[nodiscard]] std::optional<Eigen::VectorXd> velocities(const Eigen::VectorXd& y);
  /// (c_n, s_t⁺, s_t⁻) of least xᵀy; nothing where none are possible.
  [[nodiscard]] std::optional<Eigen::VectorXd> forces(const Eigen::VectorXd& x);

 private:
  void set_zeros(Eigen::Index contact, const ModeZeros& zeros);

  Eigen::Index contacts_;
  Eigen::MatrixXd P_;
  Eigen::VectorXd driven_, friction_;
  std::vector<ModeZeros> zeros_;
  Simplex X_, Y_;
};

}  // namespace pequod
