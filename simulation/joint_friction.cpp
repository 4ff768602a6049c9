#include "simulation/joint_friction.h"

#include <algorithm>
#include <cmath>

namespace pequod {

std::vector<int> friction_coordinates(const Model& model) {
  std::vector<int> coordinates;
  for (const Link& link : model.links) {
    const Joint& joint = link.joint;
    const bool single = joint.type == JointType::revolute || joint.type == JointType::prismatic;
    if (single && joint.friction > 0.0) coordinates.push_back(joint.v_index);
  }
  std::sort(coordinates.begin(), coordinates.end());
  return coordinates;
}

double joint_friction(const Model& model, int coordinate) {
  const int link = nth(model.dof_link, coordinate);
  return nth(model.links, link).joint.friction;
}

void start_joint_modes(const Model& model, State& state) {
  state.joints.clear();
  for (const int coordinate : friction_coordinates(model)) {
    const double v = state.v[coordinate];
    state.joints.push_back({coordinate, v > 0.0 ? 1 : v < 0.0 ? -1 : 0, 0.0});
  }
}

void sort_joints(const State& state, std::vector<JointMode>& modes, std::vector<int>& at_rest) {
  modes = state.joints;
  at_rest.clear();
  for (JointMode& joint : modes) {
    const double v = state.v[joint.coordinate];
    joint.slide = std::abs(v) <= kJointRest ? 0 : v > 0.0 ? 1 : -1;
    if (joint.slide == 0) at_rest.push_back(joint.coordinate);
  }
}

void append_joint_events(const Model& model, std::span<const JointMode> before, const State& after,
                         std::vector<EventRow>& events) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    const JointMode& joint = after.joints[i];
    if (joint.slide == before[i].slide) continue;
    const int link = nth(model.dof_link, joint.coordinate);
    events.push_back({.t = after.t,
                      .kind = joint.slide == 0 ? EventKind::joint_stick : EventKind::joint_slip,
                      .key = joint_event_key(link, joint.slide)});
  }
}

}  // namespace pequod
