// Bodies on guides: the directions in which they do not move are known to rounding only.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "simulation/simulation.h"
#include "test/simulation/scenario_with.h"
#include "test/support/random.h"
#include "test/support/worst.h"

namespace pequod {
namespace {

constexpr double kBallRadius = 0.1;  // m

/// A ball on guides along these axes, in a frame that stands anywhere, and a wall across z.
struct Guides {
  std::vector<Vector3d> axes;
  VectorXd q, v;
  Vector3d gravity = Vector3d::Zero();  ///< m/s², in that frame
  Surface surface{};
  std::string model = "no-slip", integrator = "symplectic-euler";
  double wall = 0.0;  ///< m, along z
};

Robot ball_on(const std::vector<Vector3d>& axes) {
  Robot robot;
  robot.links.resize(axes.size() + 1);
  robot.joints.resize(axes.size());
  for (std::size_t i = 0; i <= axes.size(); ++i) {
    RobotLink& link = robot.links[i];
    link.name = std::to_string(i);
    link.mass = 1.0;
    link.inertia = Matrix3d::Identity();
    if (i == 0) continue;
    RobotJoint& joint = robot.joints[i - 1];
    joint.name = "to " + link.name;
    joint.type = RobotJointType::prismatic;
    joint.parent = std::to_string(i - 1);
    joint.child = link.name;
    joint.axis = axes[i - 1];
  }
  robot.links.back().collisions = {{Sphere{kBallRadius}, {}}};
  return robot;
}

Scenario scene_of(const Guides& guides, const Pose& X_WF) {
  ModelBuilder builder(X_WF.R * guides.gravity);
  const Pose wall{Matrix3d::Identity(), Vector3d(0.0, 0.0, guides.wall)};
  builder.add_fixed_body("wall", X_WF * wall, {{Plane{}, {}}});
  builder.add_robot("guided", ball_on(guides.axes), true, X_WF, false);
  Scenario scenario = scenario_with(builder.build({{"*", "*", guides.surface}}));
  scenario.initial.q = guides.q;
  scenario.initial.v = guides.v;
  scenario.duration = 1.0;
  scenario.contact.model = guides.model;
  scenario.integrator = {guides.integrator, 0.01, 0.0};
  scenario.record.every = 1e3;
  return scenario;
}

struct GuidedOutcome {
  VectorXd q, v;
  double impulse_t = 0.0;             ///< N·s, largest
  Vector3d force = Vector3d::Zero();  ///< N, of the contact at the end, in the guides' frame
};

GuidedOutcome run_on(const Guides& guides, const Pose& X_WF) {
  const Scenario scenario = scene_of(guides, X_WF);
  GuidedOutcome out;
  Observer observer;
  observer.events = [&](std::span<const EventRow> rows) {
    for (const EventRow& row : rows)
      if (row.kind == EventKind::impact) out.impulse_t = std::max(out.impulse_t, row.impulse_t);
  };
  Simulation run(scenario, observer);
  run.run();
  out.q = run.state().q;
  out.v = run.state().v;
  for (const ContactMode& mode : run.state().mode) out.force += X_WF.R.transpose() * mode.force_W;
  return out;
}

std::string integrator_for(const ContactModel& model) {
  return model.level == ContactLevel::acceleration ? "rk4" : "symplectic-euler";
}

}  // namespace

TEST_CASE("a ball on a guide across a wall bounces off it in every frame under every model") {
  Random random(606);
  for (const ContactModel& model : contact_models()) {
    test::Worst off;
    for (int i = 0; i < 40; ++i) {
      Guides guides{{Vector3d::UnitZ()}, VectorXd(1), VectorXd(1)};
      guides.q << random.uniform(0.15, 0.4);
      guides.v << -random.uniform(0.5, 5.0);
      guides.surface = {random.uniform(0.05, 2.0), 0.1, i % 4 == 0 ? 1.0 : random.uniform(0.2, 1)};
      guides.model = model.name;
      guides.integrator = integrator_for(model);
      const GuidedOutcome out = run_on(guides, random.pose(i % 2 ? 1.0 : 100.0));
      off.see(std::abs(out.v[0] + guides.surface.restitution * guides.v[0]) / -guides.v[0]);
      off.see(out.impulse_t);
    }
    MESSAGE(std::string(model.name) << ": " << off.value());
    CHECK(off.value() <= 1e-12);
  }
}

// The same motion and the same force as in the frame of the world's axes, where such rows are zero.
TEST_CASE("a ball that is pressed to a wall by its weight rests there in every frame") {
  Random random(607);
  for (const ContactModel& model : contact_models())
    for (const std::string integrator : {"symplectic-euler", "rk4"}) {
      test::Worst off;
      for (int i = 0; i < 10; ++i) {
        Guides guides{{Vector3d::UnitZ()}, VectorXd::Constant(1, kBallRadius), VectorXd::Zero(1)};
        guides.gravity = random.vector(5.0) - Vector3d(0.0, 0.0, 9.0);
        guides.surface = {random.uniform(0.05, 2.0), 0.1, 0.0};
        guides.model = model.name;
        guides.integrator = integrator;
        const GuidedOutcome out = run_on(guides, random.pose(1.0));
        off.see(std::abs(out.q[0] - kBallRadius));
        off.see(out.v.norm());
        off.see((out.force / -guides.gravity.z() - Vector3d::UnitZ()).norm());
      }
      MESSAGE(std::string(model.name) << ", " << integrator << ": " << off.value());
      CHECK(off.value() <= 1e-12);
    }
}

// Along the wall it may move: what is left of the tangents points that way, all of it.
TEST_CASE("a ball on a cross slide falls to a wall and slides the same way in every frame") {
  Random random(608);
  for (const ContactModel& model : contact_models()) {
    test::Worst off;
    for (int i = 0; i < 20; ++i) {
      const double angle = random.uniform(0.0, M_PI);
      Guides guides{{Vector3d(std::cos(angle), std::sin(angle), 0.0), Vector3d::UnitZ()},
                    VectorXd(2),
                    VectorXd(2)};
      guides.q << 0.0, random.uniform(0.1, 0.3);
      guides.v << random.uniform(-3.0, 3.0), -random.uniform(0.0, 2.0);
      guides.gravity = random.vector(3.0) - Vector3d(0.0, 0.0, 9.0);
      guides.surface = {random.uniform(0.05, 0.5), 0.1, i % 2 ? 0.0 : 0.3};
      guides.model = model.name;
      guides.integrator = integrator_for(model);
      const GuidedOutcome level = run_on(guides, {}), turned = run_on(guides, random.pose(1.0));
      off.see((level.q - turned.q).norm());
      off.see((level.v - turned.v).norm());
    }
    MESSAGE(std::string(model.name) << ": " << off.value());
    // Events are found to 1e-13 m; pyramids turn with the tangents.
    if (model.family != SolverFamily::pyramid) CHECK(off.value() <= 1e-11);
  }
}

// A guide along the wall: the normal is what does not move.
TEST_CASE("a ball on a guide along a wall that it touches slides on without a jam") {
  Random random(609);
  for (const ContactModel& model : contact_models()) {
    test::Worst off;
    for (int i = 0; i < 10; ++i) {
      Guides guides{{Vector3d::UnitX()}, VectorXd::Zero(1), VectorXd::Constant(1, 1.0)};
      guides.surface = {0.3, 0.0, 0.0};
      guides.model = model.name;
      guides.integrator = integrator_for(model);
      guides.wall = -kBallRadius;
      off.see(
          std::abs(run_on(guides, random.pose(1.0)).v[0] - (model.name == "no-slip" ? 0.0 : 1.0)));
    }
    MESSAGE(std::string(model.name) << ": " << off.value());
    // No force presses it: nothing rubs. Under no-slip what touches does not slip, pressed or not.
    CHECK(off.value() <= 1e-12);
  }
}

}  // namespace pequod
