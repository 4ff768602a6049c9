// Many elastic impacts in one step of a scene: they end by themselves, and no step ends them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "simulation/simulation.h"
#include "test/simulation/scenario_with.h"
#include "test/support/random.h"
#include "test/support/textbook_model.h"
#include "test/support/worst.h"

namespace pequod {
namespace {

constexpr double kRadius = 0.1;  // m

/// A ball of 1 kg, `first` off a wall, and `second` from it a heavy one that comes with 1 m/s, both
/// on a guide along the wall's normal.
struct Blocks {
  double ratio, e, first, second;
  Vector3d n = Vector3d::UnitX();
};

double duration_of(const Blocks& blocks) { return 2.0 * (blocks.first + blocks.second) + 1.0; }

void add_guided(ModelBuilder& builder, const std::string& name, double mass, const Vector3d& n) {
  Robot robot;
  robot.links = {
      {"base", 1.0, Vector3d::Zero(), Matrix3d::Identity(), {}, {}},
      {"ball", mass, Vector3d::Zero(), Matrix3d::Identity(), {{Sphere{kRadius}, {}}}, {}}};
  RobotJoint joint;
  joint.name = "guide";
  joint.type = RobotJointType::prismatic;
  joint.parent = "base";
  joint.child = "ball";
  joint.axis = n;
  robot.joints = {joint};
  builder.add_robot(name, robot, true, {}, false);
}

Scenario scene_of(const Blocks& blocks, const std::string& model, const std::string& integrator,
                  double step) {
  ModelBuilder builder({0.0, 0.0, 0.0});
  const Matrix3d R = Quaterniond::FromTwoVectors(Vector3d::UnitZ(), blocks.n).toRotationMatrix();
  builder.add_fixed_body("wall", {R, Vector3d::Zero()}, {{Plane{}, {}}});
  add_guided(builder, "light", 1.0, blocks.n);
  add_guided(builder, "heavy", blocks.ratio, blocks.n);
  Scenario scenario = scenario_with(builder.build({{"*", "*", {0.0, 0.0, blocks.e}}}));
  scenario.initial.q << kRadius + blocks.first, 3.0 * kRadius + blocks.first + blocks.second;
  scenario.initial.v << 0.0, -1.0;
  scenario.duration = duration_of(blocks);
  scenario.contact.model = model;
  scenario.integrator = {integrator, step, 0.0};
  scenario.record.every = 1e3;
  return scenario;
}

/// What comes of it: impacts, and the velocities along the normal.
struct Series {
  int impacts = 0, fallbacks = 0;
  double light = 0.0, heavy = 0.0;  ///< m/s
  double lost = 0.0;                ///< of the energy
};

Series run_series(const Blocks& blocks, const std::string& model, const std::string& integrator,
                  double step) {
  const Scenario scenario = scene_of(blocks, model, integrator, step);
  Series series;
  Observer observer;
  observer.events = [&](std::span<const EventRow> rows) {
    for (const EventRow& row : rows) series.impacts += row.kind == EventKind::impact ? 1 : 0;
  };
  Simulation run(scenario, observer);
  const auto energy = [&] {
    return test::textbook_kinetic(scenario.model, run.state().q, run.state().v);
  };
  const double before = energy();
  run.run();
  series.fallbacks = static_cast<int>(run.statistics().fallbacks);
  series.light = run.state().v[0];
  series.heavy = run.state().v[1];
  series.lost = (before - energy()) / before;
  return series;
}

/// The same from impact to impact, on a line.
Series follow_on_line(const Blocks& blocks) {
  Series series;
  double gap = blocks.first, between = blocks.second, t = 0.0, u = 0.0, w = -1.0;
  for (;;) {
    const double to_wall = u < 0.0 ? gap / -u : kInfinity;
    const double to_ball = u > w ? between / (u - w) : kInfinity;
    const double dt = std::min(to_wall, to_ball);
    if (t + dt > duration_of(blocks)) break;
    t += dt;
    gap += u * dt;
    between += (w - u) * dt;
    ++series.impacts;
    if (to_wall < to_ball) {
      u *= -blocks.e;
    } else {
      const double p = (1.0 + blocks.e) * (u - w) * blocks.ratio / (1.0 + blocks.ratio);
      u -= p;
      w += p / blocks.ratio;
    }
  }
  series.light = u;
  series.heavy = w;
  return series;
}

// π over the angle whose tangent is √(m/M), rounded down: ⌈π/θ⌉ − 1 where it is whole (Galperin
// 2003).
int impacts_of(double ratio) {
  return static_cast<int>(std::ceil(M_PI / std::atan(1.0 / std::sqrt(ratio)))) - 1;
}

}  // namespace

TEST_CASE("a ball between a wall and a block counts the digits of π, whatever the step" *
          doctest::test_suite("heavy")) {
  test::Worst lost;
  for (const double ratio : {1.0, 1e2, 1e6, 1e8})  // of 1e4 the last impact takes minutes to come
    for (const double step : {1e-1, 1e-2, 1e-3, 1e-4}) {
      CAPTURE(ratio);
      CAPTURE(step);
      const Series series = run_series({ratio, 1.0, 0.9, 0.8}, "frictionless", "rk4", step);
      CHECK(series.impacts == impacts_of(ratio));
      CHECK(series.fallbacks == 0);
      lost.see(std::abs(series.lost));
    }
  MESSAGE("energy lost or gained: " << lost.value());
  CHECK(lost.value() <= 1e-9);
}

TEST_CASE("the same of other masses, ways, normals, models, integrators and steps" *
          doctest::test_suite("heavy")) {
  Random random(731);
  test::Worst lost, off;
  for (const ContactModel& model : contact_models())
    for (int i = 0; i < 8; ++i) {
      const Blocks blocks{std::pow(10.0, random.uniform(0.0, 6.0)), 1.0, random.uniform(0.01, 2.0),
                          random.uniform(0.01, 2.0), random.unit()};
      const bool stages = model.level == ContactLevel::acceleration;
      const double step = std::pow(10.0, random.uniform(-4.0, -0.5));
      CAPTURE(blocks.ratio);
      CAPTURE(model.name);
      CAPTURE(step);
      const Series series =
          run_series(blocks, std::string(model.name), stages ? "rk4" : "symplectic-euler", step);
      const Series truth = follow_on_line(blocks);
      CHECK(series.impacts == truth.impacts);
      CHECK(series.fallbacks == 0);
      lost.see(std::abs(series.lost));
      off.see(std::abs(series.heavy - truth.heavy));
    }
  MESSAGE("energy lost or gained: " << lost.value() << ", velocities within " << off.value());
  CHECK(lost.value() <= 1e-9);
  CHECK(off.value() <= 1e-9);
}

// On a line it is easily followed what the impacts take.
TEST_CASE("a long series that is not quite elastic loses what its impacts lose") {
  test::Worst off;
  for (const double e : {0.9999, 0.9997, 0.9995})
    for (const double step : {1e-1, 1e-2, 1e-3}) {
      CAPTURE(e);
      CAPTURE(step);
      const Blocks blocks{1e6, e, 0.9, 0.8};
      const Series series = run_series(blocks, "frictionless", "rk4", step);
      const Series truth = follow_on_line(blocks);
      CHECK(series.impacts == truth.impacts);
      CHECK(series.fallbacks == 0);
      off.see(std::abs(series.heavy - truth.heavy));
      off.see(std::abs(series.light - truth.light) / 1e3);
    }
  MESSAGE("velocities within " << off.value() << " m/s");
  CHECK(off.value() <= 1e-9);
}

// With 1 % of each speed gone infinitely many impacts stop the block at t = 1.70009 s: such a
// series is closed, and all of its energy is lost.
TEST_CASE("a series of impacts that have no last one is closed") {
  for (const double step : {1e-1, 1e-2, 1e-3}) {
    CAPTURE(step);
    const Series series = run_series({1e6, 0.99, 0.9, 0.8}, "frictionless", "rk4", step);
    CHECK(series.impacts < 2000);
    CHECK(series.fallbacks > 0);
    CHECK(std::abs(series.lost - 1.0) <= 1e-12);
  }
}

}  // namespace pequod
