// Columns of the ledger, limits and forces of runs that have closed forms.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "core/robot.h"
#include "simulation/errors.h"
#include "simulation/simulation.h"
#include "test/simulation/hopper.h"
#include "test/simulation/scenario_with.h"

namespace pequod {
namespace {

/// A cube of 2 kg, thrown or at rest, on the plane or far above it.
Scenario cube(double height, const std::string& model, const std::string& method) {
  ModelBuilder builder;
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  builder.add_free_body("cube", {2.0, Vector3d::Zero(), 0.02 * Matrix3d::Identity()},
                        {{Box{Vector3d::Constant(0.2)}, {}}});
  Scenario scenario = scenario_with(builder.build({{"*", "*", {.friction = 0.3}}}));
  scenario.initial.q[2] = height;
  scenario.duration = 0.5;
  scenario.contact.model = model;
  scenario.integrator = {method, 1e-3, 0.0};
  return scenario;
}

/// One arm on a pinned base about the vertical, from which gravity takes nothing.
Scenario arm(double effort, double upper) {
  Robot robot;
  robot.links = {test::brick("base", 1.0, 0.1), test::brick("arm", 3.0, 0.2)};
  RobotJoint joint;
  joint.name = "hinge";
  joint.type = RobotJointType::revolute;
  joint.parent = "base";
  joint.child = "arm";
  joint.axis = Vector3d::UnitZ();
  joint.effort = effort;
  joint.lower = -1.0;
  joint.upper = upper;
  robot.joints.push_back(joint);
  ModelBuilder builder;
  builder.add_robot("r", robot, true, {}, false);
  Scenario scenario = scenario_with(builder.build());
  scenario.duration = 0.5;
  scenario.contact.model = "frictionless";
  scenario.integrator = {"rk4", 1e-3, 0.0};
  return scenario;
}

constexpr double kMoment = 3.0 * 0.2 * 0.2 / 6.0;  // kg m², of the arm about its hinge

/// Asks the hinge for one effort, N·m.
Controller constant_effort(double effort) {
  Controller controller;
  controller.name = "constant";
  controller.entity = 0;
  controller.period = 0.01;
  controller.update = [effort](const ControlInput&, std::span<double>, VectorXd& tau) {
    tau[0] = effort;
  };
  return controller;
}

}  // namespace

// A constant force does the work F·s; s is the way of the centre of mass, by either integrator.
TEST_CASE("the work of an external force is in its column") {
  for (const std::string method : {"symplectic-euler", "rk4"}) {
    CAPTURE(method);
    Scenario scenario = cube(10.0, "coulomb", method);
    ExternalForce force;
    force.frame = scenario.model.entities[1].first_frame;
    force.force = {3.0, -1.0, 40.0};
    scenario.forces.push_back(force);
    Simulation run(scenario);
    run.run();
    const Vector3d way = run.state().q.head<3>() - scenario.initial.q.head<3>();
    const Ledger& l = run.state().ledger;
    // Symplectic Euler moves with the velocity at the end of a step, its work with the mean: they
    // part by ½ F·a h a second.
    const double apart =
        method == "rk4" ? 1e-12 : 0.5 * force.force.squaredNorm() / 2.0 * 1e-3 * 0.5;
    CHECK(std::abs(l.external_work - force.force.dot(way)) <= apart);
    CHECK(l.external_work > 1.0);
    CHECK(l.actuator_work == 0.0);
    CHECK(l.impact_loss == 0.0);
  }
}

TEST_CASE("a controller whose effort is not finite is named, and the run ends") {
  Scenario scenario = arm(0.1, kInfinity);
  scenario.controllers.push_back(constant_effort(kNaN));
  scenario.controllers.back().name = "arm.own";
  std::string said;
  try {
    Simulation run(scenario);
    run.run();
  } catch (const DivergenceError& error) {
    said = error.what();
  }
  CHECK(said.find("controller 'arm.own' gave an effort for '") == 0);
  CHECK(said.find("that is not finite at t = 0.000000 s") != std::string::npos);
}

TEST_CASE("an effort is cut at its limit, and its work is in its column") {
  for (const double asked : {0.05, 5.0, -5.0}) {
    CAPTURE(asked);
    Scenario scenario = arm(0.1, kInfinity);
    scenario.controllers.push_back(constant_effort(asked));
    scenario.initial.v[0] = 0.2;
    scenario.initial.q[0] = asked > 0.0 ? -0.9 : 0.9;
    Simulation run(scenario);
    run.run();
    const double effort = std::clamp(asked, -0.1, 0.1), t = scenario.duration;
    CHECK(run.state().tau[0] == effort);
    CHECK(run.state().v[0] == doctest::Approx(0.2 + effort / kMoment * t).epsilon(1e-12));
    const double way = run.state().q[0] - scenario.initial.q[0];
    CHECK(run.state().ledger.actuator_work == doctest::Approx(effort * way).epsilon(1e-12));
  }
}

TEST_CASE("a joint stops at its limits and takes its energy there") {
  for (const double side : {1.0, -1.0})
    for (const std::string method : {"symplectic-euler", "rk4"}) {
      CAPTURE(side);
      CAPTURE(method);
      Scenario scenario = arm(kInfinity, 0.5);
      scenario.integrator.method = method;
      scenario.initial.v[0] = 4.0 * side;
      Simulation run(scenario);
      double farthest = 0.0;
      while (run.step()) farthest = std::max(farthest, side * run.state().q[0]);
      const double limit = side > 0.0 ? 0.5 : 1.0;
      CHECK(std::abs(farthest - limit) < 1e-9);
      CHECK(std::abs(run.state().v[0]) < 1e-9);
      CHECK(run.state().ledger.impact_loss == doctest::Approx(0.5 * kMoment * 16.0).epsilon(1e-12));
    }
}

// Friction on a sliding body points against its slip, μ times as large as what presses; over a step
// forces at the contacts are those that the body's momentum feels.
TEST_CASE("forces at the contacts are those that the body feels, whatever its way") {
  for (const std::string method : {"symplectic-euler", "rk4"})  // impulses, and forces in stages
    for (const double angle : {0.3, 1.9, -2.5}) {
      CAPTURE(method);
      CAPTURE(angle);
      Scenario scenario = cube(0.1, "coulomb", method);
      const Vector3d way(std::cos(angle), std::sin(angle), 0.0);
      scenario.initial.v.tail<3>() = 2.0 * way;
      scenario.duration = 0.01;
      Simulation run(scenario);
      const double weight = 2.0 * 9.81;
      while (run.step()) {
        Vector3d sum = Vector3d::Zero();
        for (const ContactMode& mode : run.state().mode) sum += mode.force_W;
        CHECK((sum - weight * (Vector3d::UnitZ() - 0.3 * way)).norm() < 1e-9 * weight);
      }
    }
}

}  // namespace pequod
