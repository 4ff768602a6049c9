// Scenes that come to rest are not computed again, and wake where something changes.
#include <doctest/doctest.h>

#include <string>

#include "simulation/simulation.h"
#include "simulation/trial/rest.h"

namespace pequod {
namespace {

constexpr double kBoxEdge = 0.1, kStackMass = 2.0, kBoxGravity = 9.81, kBoxStep = 1e-3;
constexpr int kStacked = 4;

Matrix3d box_moment(double mass, const Vector3d& size) {
  const Vector3d square = size.cwiseAbs2();
  return (mass / 12.0 * (Vector3d::Constant(square.sum()) - square)).asDiagonal();
}

Scenario boxes_on_boxes(const std::string& model, double above = 0.0) {
  ModelBuilder builder;
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  const Matrix3d moment = Vector3d::Constant(kStackMass * kBoxEdge * kBoxEdge / 6.0).asDiagonal();
  for (int i = 0; i < kStacked; ++i)
    builder.add_free_body("box" + std::to_string(i), {kStackMass, Vector3d::Zero(), moment},
                          {{Box{Vector3d::Constant(kBoxEdge)}, {}}});
  Surface surface;
  surface.friction = 0.5;
  Scenario scenario;
  scenario.model = builder.build({{"*", "*", surface}});
  scenario.initial = make_state(scenario.model);
  for (int i = 0; i < kStacked; ++i)
    scenario.initial.q[7 * i + 2] = (0.5 + i) * kBoxEdge + (i + 1) * above;
  scenario.contact.model = model;
  scenario.duration = 1.0;
  scenario.integrator = {"symplectic-euler", kBoxStep, 0.0};
  return scenario;
}

constexpr int kBricks = 7 * 3;

// Three pairs of courses of four and three bricks, in bond: more contacts than coordinates, so that
// their forces are not unique.
Scenario wall_of_bricks() {
  const Vector3d size(0.2, 0.1, 0.1);
  ModelBuilder builder;
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  const Matrix3d moment = box_moment(kStackMass, size);
  for (int i = 0; i < kBricks; ++i)
    builder.add_free_body("brick" + std::to_string(i), {kStackMass, Vector3d::Zero(), moment},
                          {{Box{size}, {}}});
  Surface surface;
  surface.friction = 0.6;
  Scenario scenario;
  scenario.model = builder.build({{"*", "*", surface}});
  scenario.initial = make_state(scenario.model);
  for (int i = 0; i < kBricks; ++i) {
    const int pair = i / 7, place = i % 7;
    const bool upper = place >= 4;
    scenario.initial.q[7 * i] = size.x() * (upper ? place - 3.5 : place);
    scenario.initial.q[7 * i + 2] = size.z() * (2 * pair + (upper ? 1.5 : 0.5));
  }
  scenario.contact.model = "coulomb";
  scenario.duration = 1.0;
  scenario.integrator = {"symplectic-euler", kBoxStep, 0.0};
  return scenario;
}

ExternalForce push_top(const Scenario& scenario, double from, double to, double newton) {
  ExternalForce force;
  force.frame = scenario.model.links.empty() ? -1 : scenario.model.shapes.back().frame;
  force.from = from;
  force.to = to;
  force.force = Vector3d(newton, 0.0, 0.0);
  return force;
}

// N, along z on the ground's contacts.
double load_on_ground(const State& state) {
  double load = 0.0;
  for (const ContactMode& mode : state.mode)
    if (mode.key.shape_a == 0) load += mode.force_W.z();
  return load;
}

}  // namespace

TEST_CASE("a stack at rest is computed once, stays where it is and tells its weight") {
  for (const char* model : {"coulomb", "no-slip"}) {
    for (const char* scheme : {"event-driven", "time-stepping"}) {
      INFO(model << " " << scheme);
      Scenario scenario = boxes_on_boxes(model);
      scenario.contact.scheme = scheme;
      Simulation run(scenario);
      run.run();
      CHECK(run.state().loop.asleep);
      CHECK(run.state().v.isZero(0.0));
      CHECK((run.state().q - scenario.initial.q).norm() <= 1e-14);
      CHECK(load_on_ground(run.state()) ==
            doctest::Approx(kStacked * kStackMass * kBoxGravity).epsilon(1e-9));
      CHECK(run.statistics().solves <= 8);
      CHECK(run.statistics().steps >= 1000);
      CHECK(run.state().t == doctest::Approx(1.0).epsilon(1e-14));
    }
  }
}

TEST_CASE("a wall at rest sleeps after some steps, and tells its weight") {
  const Scenario scenario = wall_of_bricks();
  Simulation run(scenario);
  run.run();
  CHECK(run.state().loop.asleep);
  CHECK(run.state().mode.size() > 100);
  CHECK(run.statistics().solves <= 20);
  CHECK((run.state().q - scenario.initial.q).norm() <= 1e-9);
  CHECK(load_on_ground(run.state()) ==
        doctest::Approx(kBricks * kStackMass * kBoxGravity).epsilon(1e-9));
}

TEST_CASE("what falls and lands sleeps where it lies as it would lie awake") {
  Scenario scenario = boxes_on_boxes("no-slip", 0.002);
  Simulation run(scenario);
  run.run();
  CHECK(run.state().loop.asleep);
  scenario.contact.sleep = "off";
  Simulation awake(scenario);
  awake.run();
  CHECK_FALSE(awake.state().loop.asleep);
  CHECK(awake.statistics().solves >= 900);
  CHECK((run.state().q - awake.state().q).norm() <= 1e-12);
}

TEST_CASE(
    "a force that begins later finds nothing asleep, one that lasts or has ended does not wake") {
  Scenario scenario = boxes_on_boxes("coulomb");
  scenario.forces = {push_top(scenario, 0.5, kInfinity, 50.0)};
  Simulation pushed(scenario);
  pushed.run();
  CHECK_FALSE(pushed.state().loop.asleep);
  // 50 N against 0.5 · 2 kg · 9.81: the topmost box leaves.
  CHECK(pushed.state().q[7 * (kStacked - 1)] > 0.5);
  scenario.forces = {push_top(scenario, 0.0, kInfinity, 1.0)};
  Simulation leaning(scenario);
  leaning.run();
  CHECK(leaning.state().loop.asleep);
  scenario.forces = {push_top(scenario, 0.0, 0.5, 1.0)};
  Simulation released(scenario);
  while (released.step() && released.state().t < 0.45) CHECK_FALSE(released.state().loop.asleep);
  released.run();
  CHECK(released.state().loop.asleep);
}

TEST_CASE("a run that sleeps is resumed asleep, bit for bit") {
  const Scenario scenario = boxes_on_boxes("coulomb");
  Simulation whole(scenario);
  while (whole.step() && whole.state().t < 0.5) {
  }
  REQUIRE(whole.state().loop.asleep);
  Simulation resumed(scenario, whole.state(), whole.statistics(), {});
  while (whole.step()) {
    REQUIRE(resumed.step());
    REQUIRE(resumed.state().t == whole.state().t);
    REQUIRE(load_on_ground(resumed.state()) == load_on_ground(whole.state()));
  }
  CHECK(resumed.statistics().solves == whole.statistics().solves);
}

TEST_CASE("a light body that creeps beside a heavy one is not at rest") {
  const Scenario scenario = boxes_on_boxes("coulomb");
  Island island;
  island.trees = {0, 1};
  island.m = 12;
  VectorXd free = VectorXd::Zero(12), y = VectorXd::Zero(12);
  free[5] = 1e3;  // √J, a ton that gravity would have moved
  free[11] = 1e-5;
  y[5] = 1e-13;
  CHECK(leaves_at_rest(scenario.model, island, y, free));
  y[11] = 1e-13;  // 1e-8 of what it would have been moved by, 1e-16 of the other
  CHECK_FALSE(leaves_at_rest(scenario.model, island, y, free));
}

}  // namespace pequod
