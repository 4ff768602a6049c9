#include "simulation/controllers/trot.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "simulation/controllers/memory.h"
#include "simulation/controllers/trot_plan.h"

namespace pequod {
namespace {

// The robot in its posture with the base level at the origin.
VectorXd levelled(const Model& model, int entity, const VectorXd& stance) {
  const int base = nth(model.entities, entity).base_link;
  const Joint& joint = nth(model.links, base).joint;
  VectorXd q = stance;
  q.segment<7>(joint.q_index) << 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0;
  return q;
}

void measure_posture(const Model& model, const VectorXd& stance, TrotPlan& plan) {
  const Entity& robot = nth(model.entities, plan.entity);
  Kinematics kin;
  compute_kinematics(model, levelled(model, plan.entity, stance), VectorXd::Zero(model.nv), kin);
  const MassCentre centre = mass_centre(model, kin, robot.first_link, robot.links);
  plan.mass = centre.mass;
  plan.g = model.gravity.norm();
  double lowest = kInfinity;
  Eigen::Vector2d mean = Eigen::Vector2d::Zero();
  for (std::size_t i = 0; i < kLegs; ++i) {
    const Leg& leg = plan.legs[i];
    const Vector3d foot = nth(kin.links, leg.links[2]).X_WL * leg.foot;
    lowest = std::min(lowest, foot.z() - leg.radius);
    plan.nominal[i] = foot.head<2>();
    mean += 0.25 * foot.head<2>();
  }
  // The support is centred under the centre of mass, not under the hips.
  for (Eigen::Vector2d& nominal : plan.nominal) nominal -= mean;
  plan.z0 = centre.position.z() - lowest;
  if (!(plan.z0 > 0.0) || !(plan.g > 0.0))
    throw std::invalid_argument(robot.name +
                                " cannot trot: gravity is zero or its feet are above "
                                "its centre of mass in the posture given");
  plan.omega0 = std::sqrt(plan.g / plan.z0);
}

TrotPlan make_plan(const Model& model, int entity, const VectorXd& stance,
                   const TrotOptions& options) {
  TrotPlan plan;
  plan.options = options;
  plan.entity = entity;
  plan.legs = find_legs(model, entity);
  measure_posture(model, stance, plan);
  TrotOptions& o = plan.options;
  if (std::isnan(o.gait_period)) o.gait_period = 3.0 / plan.omega0;
  if (std::isnan(o.step_height)) o.step_height = 0.2 * plan.z0;
  plan.stance_time = o.duty * o.gait_period;
  plan.swing_time = (1.0 - o.duty) * o.gait_period;
  return plan;
}

// A flat trot needs this much in the knee (measured on seven robots of 2.5–87 kg).
constexpr double kNeeded = 0.35;

TrotReport make_report(const Model& model, const TrotPlan& plan) {
  TrotReport report;
  report.mass = plan.mass;
  report.z0 = plan.z0;
  report.omega0 = plan.omega0;
  report.speed = std::sqrt(plan.g * plan.z0);
  const double needed = kNeeded * plan.mass * plan.g * plan.z0;
  for (const Leg& leg : plan.legs) {
    report.feet.push_back(nth(model.frames, leg.frame).name);
    for (const int link : leg.links) {
      const double effort = nth(model.links, link).joint.effort;
      if (effort < needed)
        report.warnings.push_back("the effort limit " + std::to_string(effort) + " N·m of " +
                                  link_name(model, link) + " is below " + std::to_string(needed) +
                                  " N·m = 0.35 m g z0, which a trot may need");
    }
  }
  return report;
}

TrotMemory first_memory(const TrotPlan& plan, const RobotView& robot, double t) {
  TrotMemory memory;
  memory.start = t;
  memory.yaw = memory.yaw_ref = robot.yaw;
  memory.p_ref = {robot.com.x(), robot.com.y()};
  for (std::size_t i = 0; i < kLegs; ++i)
    memory.feet[i].ground = robot.legs[i].foot.z() - plan.legs[i].radius;
  memory.height = robot.com.z() - ground_height(memory);
  return memory;
}

void initialise(const TrotPlan& plan, const ControlInput& input, std::span<double> memory) {
  const RobotView robot = view_robot(input, plan.entity, plan.legs);
  store_memory(first_memory(plan, robot, input.state.t), memory);
}

// Of m g z0: the strongest motors of quadrupeds (Go1's knee 0.94). A URDF may name no limit, and a
// robot that lies on its legs would ask them for a hundred times as much.
constexpr double kStrongest = 1.0;

// One tick.
void update(const TrotPlan& plan, const ControlInput& input, std::span<double> kept,
            VectorXd& tau) {
  TrotMemory memory = load_memory<TrotMemory>(kept);
  const RobotView robot = view_robot(input, plan.entity, plan.legs);
  const TrotPhase phase = advance_gait(plan, robot, input.state.t, memory);
  const TrotReference reference = advance_reference(plan, robot, phase, memory);
  const std::array<Vector3d, kLegs> forces =
      balance_forces(plan, robot, phase, reference, ground_height(memory));
  const double strongest = kStrongest * plan.mass * plan.g * plan.z0;
  for (std::size_t i = 0; i < kLegs; ++i) {
    const Vector3d effort = phase.stands[i]
                                ? stance_effort(plan, robot.legs[i], forces[i])
                                : swing_effort(plan, robot, phase, reference, memory, i);
    for (std::size_t k = 0; k < 3; ++k)
      tau[plan.legs[i].v[k]] =
          std::clamp(effort[static_cast<Eigen::Index>(k)], -strongest, strongest);
  }
  store_memory(memory, kept);
}

}  // namespace

Controller make_trot(const Model& model, int entity, const VectorXd& stance,
                     const TrotOptions& options, TrotReport* report) {
  const TrotPlan plan = make_plan(model, entity, stance, options);
  if (report) *report = make_report(model, plan);
  Controller controller;
  controller.name = nth(model.entities, entity).name + ".trot";
  controller.entity = entity;
  controller.period = options.period;
  controller.memory_size = memory_size_of<TrotMemory>();
  controller.shares_nothing = true;
  controller.initialise = [plan](const ControlInput& input, std::span<double> memory) {
    initialise(plan, input, memory);
  };
  controller.update = [plan](const ControlInput& input, std::span<double> memory, VectorXd& tau) {
    update(plan, input, memory, tau);
  };
  return controller;
}

}  // namespace pequod
