#include "simulation/controllers/pd.h"

#include <algorithm>
#include <stdexcept>

namespace pequod {
namespace {

struct HeldJoint {
  int link = -1;
  int q = -1, v = -1;     // coordinates
  Eigen::Index slot = 0;  // in the entity's order of joints
};

std::vector<HeldJoint> held_joints(const Model& model, const Entity& entity) {
  std::vector<HeldJoint> joints;
  for (int k = 0; k < entity.joints; ++k) {
    const int link = nth(model.joints, entity.first_joint + k).link;
    const Joint& joint = nth(model.links, link).joint;
    if (joint.type == JointType::revolute || joint.type == JointType::prismatic)
      joints.push_back({link, joint.q_index, joint.v_index, k});
  }
  return joints;
}

}  // namespace

Controller make_pd(const Model& model, int entity, const PdOptions& options) {
  const Entity& robot = nth(model.entities, entity);
  if (options.target.size() != 0 && options.target.size() != robot.joints)
    throw std::invalid_argument("the target has " + std::to_string(options.target.size()) +
                                " positions, " + robot.name + " has " +
                                std::to_string(robot.joints) + " moving joints");
  const std::vector<HeldJoint> joints = held_joints(model, robot);
  Controller controller;
  controller.name = robot.name + ".pd";
  controller.entity = entity;
  controller.period = options.period;
  controller.memory_size = robot.joints;  // the target
  controller.shares_nothing = true;
  for (const HeldJoint& joint : joints)
    controller.gains.push_back({joint.link, options.kp, options.kd,
                                options.target.size() > 0 ? options.target[joint.slot] : kNaN});
  controller.initialise = [joints, target = options.target](const ControlInput& input,
                                                            std::span<double> memory) {
    std::fill(memory.begin(), memory.end(), 0.0);
    for (const HeldJoint& joint : joints)
      nth(memory, joint.slot) = target.size() > 0 ? target[joint.slot] : input.state.q[joint.q];
  };
  controller.update = [joints, kp = options.kp, kd = options.kd](
                          const ControlInput& input, std::span<double> memory, VectorXd& tau) {
    const State& state = input.state;
    for (const HeldJoint& joint : joints)
      tau[joint.v] = kp * (nth(memory, joint.slot) - state.q[joint.q]) - kd * state.v[joint.v];
  };
  return controller;
}

}  // namespace pequod
