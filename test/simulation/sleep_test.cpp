// Scenes that come to rest are not computed again, and wake where something changes.
#include <doctest/doctest.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "simulation/simulation.h"
#include "simulation/trial/rest.h"
#include "test/simulation/scenario_with.h"
#include "test/simulation/stage_bench.h"

namespace pequod {
namespace {

constexpr double kBoxEdge = 0.1, kStackMass = 2.0, kBoxGravity = 9.81, kBoxStep = 1e-3;
constexpr int kStacked = 4;

Scenario boxes_at(const std::vector<Vector3d>& places, const Vector3d& size, double friction,
                  const std::string& model) {
  ModelBuilder builder;
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  for (std::size_t i = 0; i < places.size(); ++i)
    builder.add_free_body("box" + std::to_string(i), box_inertia(kStackMass, size),
                          {{Box{size}, {}}});
  Scenario scenario = scenario_with(builder.build({{"*", "*", {.friction = friction}}}), places);
  scenario.contact.model = model;
  scenario.duration = 1.0;
  scenario.integrator = {"symplectic-euler", kBoxStep, 0.0};
  return scenario;
}

Scenario boxes_on_boxes(const std::string& model, double above = 0.0) {
  std::vector<Vector3d> places;
  for (int i = 0; i < kStacked; ++i)
    places.emplace_back(0.0, 0.0, (0.5 + i) * kBoxEdge + (i + 1) * above);
  return boxes_at(places, Vector3d::Constant(kBoxEdge), 0.5, model);
}

constexpr int kBricks = 7 * 3;

// Three pairs of courses of four and three bricks, in bond: more contacts than coordinates, so that
// their forces are not unique.
Scenario wall_of_bricks() {
  const Vector3d size(0.2, 0.1, 0.1);
  std::vector<Vector3d> places;
  for (int i = 0; i < kBricks; ++i) {
    const int pair = i / 7, place = i % 7;
    const bool upper = place >= 4;
    places.emplace_back(size.x() * (upper ? place - 3.5 : place), 0.0,
                        size.z() * (2 * pair + (upper ? 1.5 : 0.5)));
  }
  return boxes_at(places, size, 0.6, "coulomb");
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
    "what rests awake is solved each step, does not move by a bit, and goes when it is pushed") {
  Scenario scenario = wall_of_bricks();
  scenario.contact.sleep = "off";
  scenario.duration = 0.2;
  scenario.forces = {push_top(scenario, 0.15, kInfinity, 200.0)};
  Simulation run(scenario);
  while (run.step() && run.state().t < 0.05) {
  }
  const VectorXd settled = run.state().q;
  CHECK((settled - scenario.initial.q).norm() <= 1e-9);
  while (run.step() && run.state().t < 0.149) {
    REQUIRE(run.state().q == settled);
    REQUIRE(run.state().v.isZero(0.0));
  }
  CHECK_FALSE(run.state().loop.asleep);
  CHECK(run.statistics().solves >= 145);
  CHECK(load_on_ground(run.state()) ==
        doctest::Approx(kBricks * kStackMass * kBoxGravity).epsilon(1e-9));
  run.run();
  // 200 N against 0.6 · 2 kg · 9.81: the topmost brick slides, the others stay.
  CHECK(run.state().q[7 * (kBricks - 1)] > settled[7 * (kBricks - 1)] + 0.05);
  CHECK((run.state().q.head(7 * 4) - settled.head(7 * 4)).norm() <= 1e-9);
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

// Two stacks of boxes 1 m apart, and a ball that rolls past them, or into the second.
struct BesideLaw {
  std::string model, scheme;
  double restitution;
};
Scenario stacks_and_ball(const BesideLaw& law, bool hits) {
  const Vector3d size = Vector3d::Constant(kBoxEdge);
  const double radius = 0.5 * kBoxEdge, speed = 1.0;
  ModelBuilder builder;
  builder.add_fixed_body("ground", {}, {{Plane{}, {}}});
  for (int i = 0; i < 2 * kStacked; ++i)
    builder.add_free_body("box" + std::to_string(i), box_inertia(kStackMass, size),
                          {{Box{size}, {}}});
  builder.add_free_body("ball", ball_inertia(kStackMass, radius), {{Sphere{radius}, {}}});
  Scenario scenario = boxes_at({}, size, 0.5, law.model);
  scenario.model = builder.build({{"*", "*", {.friction = 0.5, .restitution = law.restitution}}});
  scenario.initial = make_state(scenario.model);
  const auto place = [&](int body, const Vector3d& p) {
    scenario.initial.q.segment<3>(7 * static_cast<Eigen::Index>(body)) = p;
  };
  for (int i = 0; i < 2 * kStacked; ++i)
    place(i, {i < kStacked ? 0.0 : 1.0, 0.0, (0.5 + i % kStacked) * kBoxEdge});
  place(2 * kStacked, {1.0, hits ? -0.3 : 1.0, radius});
  scenario.initial.v.tail<6>() << -speed / radius, 0.0, 0.0, 0.0, speed, 0.0;
  scenario.contact.scheme = law.scheme;
  scenario.duration = 0.4;
  return scenario;
}

Scenario without_sleep(Scenario scenario) {
  scenario.contact.sleep = "off";
  return scenario;
}

int count_resting(const State& state) {
  return static_cast<int>(std::ranges::count(state.loop.resting, 1));
}

/// check(run, the same run without sleep), of some models and schemes. @param hits  the second
/// stack
template <typename Check>
void beside_one_awake(bool hits, const Check& check) {
  const std::vector<BesideLaw> laws = {{"coulomb", "event-driven", 0.0},
                                       {"coulomb", "time-stepping", 0.0},
                                       {"coulomb", "time-stepping", 0.4},
                                       {"no-slip", "event-driven", 0.0}};
  for (const BesideLaw& law : laws) {
    INFO(law.model << " " << law.scheme << " e = " << law.restitution);
    const Scenario scenario = stacks_and_ball(law, hits);
    const Scenario kept_awake = without_sleep(scenario);
    Simulation run(scenario), awake(kept_awake);
    check(run, awake);
  }
}

TEST_CASE("stacks rest beside what moves: the same bits, without being solved") {
  beside_one_awake(false, [](Simulation& run, Simulation& awake) {
    while (run.step() && awake.step()) {
      REQUIRE(run.state().q == awake.state().q);
      REQUIRE(run.state().v == awake.state().v);
    }
    CHECK(count_resting(run.state()) == 2 * kStacked);
    CHECK(run.state().mode.size() == awake.state().mode.size());
    CHECK(load_on_ground(run.state()) ==
          doctest::Approx((2 * kStacked + 1) * kStackMass * kBoxGravity).epsilon(1e-9));
    // Two stacks and the ball each step, or the ball alone.
    CHECK(awake.statistics().solves >= 3 * 390);
    CHECK(run.statistics().solves <= 420);
  });
}

TEST_CASE("a stack that is hit wakes as a whole, and goes as it would awake; the other rests on") {
  beside_one_awake(true, [](Simulation& run, Simulation& awake) {
    // The ball meets the lowest box after 0.2 m.
    while (run.step() && run.state().t < 0.195) {
    }
    REQUIRE(count_resting(run.state()) == 2 * kStacked);
    const VectorXd standing = run.state().q;
    run.run();
    awake.run();
    const Eigen::Index second = 7 * kStacked;
    CHECK(run.state().q.head(second) == standing.head(second));
    CHECK(std::ranges::count(std::span(run.state().loop.resting).first(kStacked), 1) == kStacked);
    CHECK(run.state().q.segment(second, second) != standing.segment(second, second));
    CHECK((run.state().q - awake.state().q).norm() <= 1e-6);
  });
}

TEST_CASE("a run in which some rest is resumed bit for bit") {
  const Scenario scenario = stacks_and_ball({"coulomb", "event-driven", 0.0}, true);
  Simulation whole(scenario);
  while (whole.step() && whole.state().t < 0.1) {
  }
  REQUIRE(count_resting(whole.state()) == 2 * kStacked);
  Simulation resumed(scenario, whole.state(), whole.statistics(), {});
  whole.run();
  resumed.run();
  CHECK(resumed.state().q == whole.state().q);
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
