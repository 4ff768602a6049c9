// Coulomb friction of joints: which have it, their modes, and the events these make.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/model.h"
#include "core/state.h"
#include "simulation/record/event_row.h"
#include "simulation/tolerances.h"

namespace pequod {

/// Velocity coordinates of the revolute and prismatic joints with Coulomb friction, ascending.
[[nodiscard]] std::vector<int> friction_coordinates(const Model& model);

/// τ_c of a velocity coordinate, N·m or N.
[[nodiscard]] double joint_friction(const Model& model, int coordinate);

/// Modes to start with: joints that move slide, the others stick.
void start_joint_modes(const Model& model, State& state);

/// Joints with friction where a mode is chosen: those at rest are to be found out about and stick,
/// to begin with; the others slide, whatever the state's modes say.
/// @param modes    out: of all of them
/// @param at_rest  out: velocity coordinates of those at rest, ascending
void sort_joints(const State& state, std::vector<JointMode>& modes, std::vector<int>& at_rest);

/// The mode of a coordinate, which must have one.
template <typename JointModes>
[[nodiscard]] auto& find_joint(JointModes& joints, int coordinate) {
  return *std::ranges::lower_bound(joints, coordinate, {}, &JointMode::coordinate);
}

/// A row for each joint that came to stick, or began to slide (the other way).
void append_joint_events(const Model& model, std::span<const JointMode> before, const State& after,
                         std::vector<EventRow>& events);

}  // namespace pequod
