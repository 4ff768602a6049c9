// Blocks in one dimension as complementarity problems (Pfrommer 2019, LCP Notes, sec. 1 and 2).
#pragma once

#include <Eigen/Dense>
#include <cmath>

#include "contact/solvers/complementarity/lcp_problem.h"

namespace pequod {

/// A block of unit mass falls onto a floor (sec. 1), implicit Euler: z is its height after the
/// step, w the contact force.
/// @param height  m, before the step
/// @param speed   m/s, upwards
/// @param g       m/s²
/// @param h       s, the step
[[nodiscard]] LcpProblem falling_block(double height, double speed, double g, double h);

/// What slides: a block of unit mass on a floor with Coulomb friction, pushed along it.
struct SlidingBlock {
  double speed = NAN;  ///< m/s, before the step
  double push = NAN;   ///< u, N for unit mass
  double bound = NAN;  ///< μ m g, N, ≥ 0
};

/// It slides forwards only (sec. 2.1): z is the speed after the step, w the friction that is left.
/// The block's speed and push are ≥ 0.
[[nodiscard]] LcpProblem forward_block(const SlidingBlock& block, double h);

/// Both ways, direct form (sec. 2.2): z = (ẋ⁺, ẋ⁻) after the step, w = (λ'⁻, λ'⁺), the friction
/// that is left. M is a multiple of the identity, so z is unique.
/// @param speed  (ẋ⁺, ẋ⁻) before the step, m/s, one of them zero
[[nodiscard]] LcpProblem two_way_block(const Eigen::Vector2d& speed, double push, double bound,
                                       double h);

/// The form that does not work (sec. 2.5): z = (λ⁺, λ⁻, γ), w = (ẋ⁺, ẋ⁻, ρ). One of the first two
/// entries of q is negative unless the block would stand still without friction, and M is ≤ 0, so
/// there is no solution.
[[nodiscard]] LcpProblem direct_block_that_fails(const SlidingBlock& block, double h);

/// The traditional form (sec. 2.6), step and mass 1: z = (λ⁺, λ⁻, γ), where γ bounds the speed. M
/// is copositive and P₀, not P as printed: λ is not unique while the block sticks, its speed is.
[[nodiscard]] LcpProblem traditional_block(const SlidingBlock& block);

/// The same with the speed kept as a free unknown (sec. 2.6.1): z = (ẋ, λ⁺, λ⁻, γ). The first row
/// is −ẋ + λ⁺ − λ⁻ + v + u = 0; print has +ẋ.
[[nodiscard]] MlcpProblem mixed_block(const SlidingBlock& block);

/// Speed after the step from z of the traditional form.
[[nodiscard]] double traditional_speed(const SlidingBlock& block, const Eigen::VectorXd& z);

/// Exact implicit Coulomb friction, unit mass: what all of these must give.
[[nodiscard]] double coulomb_speed(const SlidingBlock& block, double h);

}  // namespace pequod
