// A controller of one's own: a robot on four feet lifts one foot and puts it down again.
//
// A controller is two functions over what it may see (model, state, kinematics) and a few doubles
// of memory. It writes the efforts of its robot; the run calls it once a period and holds them.
#include <cmath>
#include <cstdio>
#include <numbers>

#include "core/dynamics.h"
#include "simulation/controllers/pd.h"
#include "simulation/simulation.h"

using namespace pequod;

namespace {

/// A table on four legs with a hip and a knee each.
Robot make_table() {
  Robot robot;
  robot.name = "table";
  const auto add = [&robot](const std::string& name, double mass, double size, double com) {
    RobotLink link;
    link.name = name;
    link.mass = mass;
    link.com.z() = com;
    link.inertia = mass * size * size / 6.0 * Matrix3d::Identity();
    robot.links.push_back(link);
  };
  const auto hinge = [&robot](const std::string& parent, const std::string& child,
                              const Vector3d& at) {
    RobotJoint joint;
    joint.name = child;
    joint.type = RobotJointType::revolute;
    joint.parent = parent;
    joint.child = child;
    joint.X_PJ.p = at;
    joint.axis = Vector3d::UnitY();
    joint.armature = 0.02;  // kg m²: kd · period must stay below the inertia a joint feels
    robot.joints.push_back(joint);
  };
  add("top", 6.0, 0.3, 0.0);
  for (const double x : {0.2, -0.2}) {
    for (const double y : {0.15, -0.15}) {
      const std::string corner = std::string(x > 0 ? "front" : "hind") + (y > 0 ? "L" : "R");
      add(corner + "_thigh", 0.4, 0.1, -0.1);
      hinge("top", corner + "_thigh", {x, y, 0.0});
      add(corner + "_shank", 0.4, 0.1, -0.1);
      robot.links.back().collisions.push_back({Sphere{0.02}, {Matrix3d::Identity(), {0, 0, -0.2}}});
      hinge(corner + "_thigh", corner + "_shank", {0.0, 0.0, -0.2});
    }
  }
  return robot;
}

/// Holds the posture, and bends one knee further by up to `lift` (rad) once every 2 s.
Controller make_one_leg_up(const Model& model, int entity, double lift) {
  PdOptions options;
  options.kp = 200.0;
  options.kd = 2.0;
  Controller controller = make_pd(model, entity, options);
  const Entity& robot = model.entities[static_cast<std::size_t>(entity)];
  const int knee = model.joints[static_cast<std::size_t>(robot.first_joint + 1)].link;
  const int v = model.links[static_cast<std::size_t>(knee)].joint.v_index;
  controller.name = robot.name + ".one-leg-up";
  controller.update = [hold = controller.update, v, lift](const ControlInput& input,
                                                          std::span<double> memory, VectorXd& tau) {
    hold(input, memory, tau);
    // What it needs to know beyond the state goes into `memory`; here time is enough.
    const double wave = std::sin(std::numbers::pi * input.state.t);
    tau[v] += 200.0 * lift * std::min(0.0, wave);
  };
  return controller;
}

}  // namespace

int main() {
  ModelBuilder builder;
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  const int table = builder.add_robot("table", make_table(), false, {}, false);
  Surface surface;
  surface.friction = kInfinity;

  Scenario scenario;
  scenario.model = builder.build({{"*", "*", surface}});
  const Model& model = scenario.model;
  scenario.initial = make_state(model);
  VectorXd& q = scenario.initial.q;
  for (Eigen::Index i = 7; i < q.size(); i += 2) q.segment<2>(i) << 0.5, -1.0;
  q[2] = 0.4 * std::cos(0.5) + 0.02;  // the feet just touch
  scenario.duration = 4.0;
  scenario.controllers.push_back(make_one_leg_up(model, table, 0.5));

  const int foot = builder.find_frame("table/frontL_shank");
  double next = 0.0;
  Simulation run(scenario);
  while (run.step()) {
    if (run.state().t < next) continue;
    next += 0.25;
    const double force = contact_force_on(model, run.state(), foot).z();
    std::printf("t = %.2f s: the left front foot carries %.1f N\n", run.state().t, force);
  }
  return 0;
}
