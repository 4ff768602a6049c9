// Kinematics of closed loops: how far a loop is open, its rows, and their rate terms.
#pragma once

#include <array>
#include <span>

#include "core/dynamics.h"
#include "core/model.h"

namespace pequod {

/// Directions of a loop: translation of K_B against K_A along the axes x, y, z of K_A, then
/// rotation about them. A loop of each type holds some of them.
inline constexpr int kLoopDirections = 6;
[[nodiscard]] std::array<bool, kLoopDirections> held_directions(LoopType type);

/// How far the loop is open: m along the first three directions, rad about the others (to first
/// order; a revolute loop's are the products of its two axes). Zero where the type holds nothing.
/// @param X_WL  poses of all links
[[nodiscard]] Vector6d loop_gap(const Loop& loop, std::span<const Pose> X_WL);

/// The largest size of any entry of loop_gap over all loops, m or rad; 0 without loops.
[[nodiscard]] double widest_loop_gap(std::span<const Loop> loops, std::span<const Pose> X_WL);

/// The same as a distance (m) and an angle (rad), however far it is open.
struct LoopOpening {
  double distance = 0.0, angle = 0.0;
};
[[nodiscard]] LoopOpening loop_opening(const Loop& loop, std::span<const Pose> X_WL);

/// Adds the row J of one direction to `row` (Model::nv long): J v is the rate of that component of
/// the motion of B against A, taken at the origin of K_B: m/s along, rad/s about an axis of K_A.
void add_loop_row(const Model& model, const Kinematics& kin, const Loop& loop, int direction,
                  VectorXd& row);

/// The longest lever by which a rotation moves the loop's point in the coordinates of its rows, m:
/// a row of a translation that is shorter than this times that of the rotation by ε is rounding.
[[nodiscard]] double loop_lever(const Model& model, const Kinematics& kin, const Loop& loop);

/// J̇ v of all six directions, m/s² and rad/s²: the acceleration relative to K_A for v̇ = 0, exact
/// for any v, so that J v̇ = −J̇ v keeps J v as it is.
[[nodiscard]] Vector6d loop_bias(const Model& model, const Kinematics& kin, const Loop& loop);

}  // namespace pequod
