// The first event of one trial step, by itself. RK4 is exact on a parabola, so that the search is
// the only source of error.
#include "simulation/event/first_event.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "test/simulation/trial_bench.h"

namespace pequod {
namespace {

// s: a root to 1e-12 s, and gaps by the tenth power of that.
constexpr double kTime = 1e-11;

std::optional<EventHit> event_of(Bench& bench, double h) {
  TrialBench trials(bench);
  Stepper& stepper = trials.stepper;
  const State end = stepper.at(h).state;
  EventWorkspace workspace;
  return first_event(trials.world, {stepper, bench.scenario.initial, stepper.start().terms, h, end},
                     workspace);
}

// Balls of 0.1 m and 1 kg.
Bench balls(int count) {
  Bench bench("frictionless", 0.5);
  for (int i = 0; i < count; ++i)
    bench.add({1.0, Vector3d::Zero(), 0.004 * Matrix3d::Identity()}, Sphere{0.1});
  bench.build(0.0);
  return bench;
}

void place(Bench& bench, int ball, const Vector3d& p, const Vector3d& v = Vector3d::Zero()) {
  bench.scenario.initial.q.segment<3>(7 * ball) = p;
  bench.scenario.initial.v.segment<3>(6 * ball + 3) = v;
}

}  // namespace

// h − R − ½ g t² = 0.
TEST_CASE("a ball that falls meets the floor at sqrt(2 (h - R) / g)") {
  Bench bench = balls(1);
  place(bench, 0, {0.0, 0.0, 1.0});
  const auto hit = event_of(bench, 0.5);
  REQUIRE(hit);
  CHECK(hit->kind == EventHit::Kind::contact);
  CHECK(std::abs(hit->tau - std::sqrt(2.0 * 0.9 / g)) <= kTime);
}

// Thrown upwards from the floor with v: back at 2 v / g, and not before.
TEST_CASE("a ball that leaves the floor meets it again after its flight only") {
  Bench bench = balls(1);
  place(bench, 0, {0.0, 0.0, 0.1}, {0.0, 0.0, 1.0});
  CHECK_FALSE(event_of(bench, 0.2));
  const auto hit = event_of(bench, 0.3);
  REQUIRE(hit);
  CHECK(std::abs(hit->tau - 2.0 / g) <= kTime);
}

// Balls that fly towards each other at ±2 m/s from 0.4 m between their surfaces meet after 0.1 s,
// 0.05 m before the one that falls from 0.95 m at 3 m/s reaches the floor.
TEST_CASE("of two contacts that close the first one is told, with its shapes") {
  Bench bench = balls(3);
  place(bench, 0, {-0.3, 0.0, 5.0}, {2.0, 0.0, 0.0});
  place(bench, 1, {0.3, 0.0, 5.0}, {-2.0, 0.0, 0.0});
  place(bench, 2, {3.0, 0.0, 0.95}, {0.0, 0.0, -3.0});
  const auto hit = event_of(bench, 0.5);
  REQUIRE(hit);
  CHECK(std::abs(hit->tau - 0.1) <= kTime);
  CHECK(hit->key.shape_a == 1);  // shape 0 is the floor
  CHECK(hit->key.shape_b == 2);
}

// It passes the other with 1 mm between them, at a quarter of the step.
TEST_CASE("what flies past within a millimetre is no event") {
  Bench bench = balls(2);
  bench.scenario.model.gravity.setZero();
  place(bench, 0, {0.0, 0.0, 5.0});
  place(bench, 1, {-1.0, 0.201, 5.0}, {40.0, 0.0, 0.0});
  CHECK_FALSE(event_of(bench, 0.1));
  place(bench, 1, {-1.0, 0.199, 5.0}, {40.0, 0.0, 0.0});
  const auto hit = event_of(bench, 0.1);
  REQUIRE(hit);
  const double reach = std::sqrt(0.04 - 0.199 * 0.199);  // along the flight
  CHECK(std::abs(hit->tau - (1.0 - reach) / 40.0) <= kTime);
}

// A box that turns about an edge on the floor: its other corners rise. Impulses of a step leave
// none that closes, and no search is needed for the pair; a ball that meets the floor is found.
TEST_CASE("velocity level: of two convex shapes in touch nothing is searched, of others all is") {
  for (const char* const method : {"symplectic-euler", "rk4"}) {
    CAPTURE(method);
    const bool impulses = method == std::string("symplectic-euler");
    Bench bench("coulomb", 1e-3);
    bench.scenario.integrator.method = method;
    bench.scenario.contact.level = impulses ? "velocity" : "acceleration";
    bench.add(box_inertia(1.0, Vector3d::Constant(0.2)), Box{Vector3d::Constant(0.2)});
    bench.add({1.0, Vector3d::Zero(), 0.004 * Matrix3d::Identity()}, Sphere{0.1});
    bench.build(1.0);
    bench.scenario.initial.q.segment<3>(0) = Vector3d(0.0, 0.0, 0.1);
    bench.scenario.initial.v.segment<6>(0) << 0.0, 1.0, 0.0, 0.1, 0.0, 0.1;
    place(bench, 1, {2.0, 0.0, 0.1 + 0.5e-3}, {0.0, 0.0, -1.0});
    TrialBench trials(bench);
    Stepper& stepper = trials.stepper;
    const State end = stepper.at(1e-3).state;
    const Evaluator& start = stepper.start().terms;
    EventWorkspace workspace;
    find_reach(trials.world, stepper, stepper.trial().terms, 1e-3, workspace.buffers,
               workspace.reach);
    std::vector<OpenContact> contacts;
    sample_ends({trials.world, workspace.reach, stepper, workspace.buffers}, bench.scenario.initial,
                start, 1e-3, end, workspace.left, workspace.right, contacts);
    const auto of_box = [](const OpenContact& contact) { return contact.left.key.shape_b == 1; };
    CHECK(std::ranges::any_of(contacts, of_box) == !impulses);
    if (!impulses) continue;  // of an unsettled state
    const auto hit = event_of(bench, 1e-3);
    REQUIRE(hit);
    CHECK(hit->key.shape_b == 2);
    CHECK(std::abs(hit->tau - 0.5e-3) <= 1e-5);  // gravity's way within it
  }
}

// A force that grows against the weight m g of a ball on the floor cannot be had in one step; one
// that holds it up beyond its weight at once releases it: its mode does not hold.
TEST_CASE("a held ball that is drawn up is released at once, a pressed one never") {
  for (const double up : {0.5, 2.0}) {
    Bench bench = balls(1);
    place(bench, 0, {0.0, 0.0, 0.1});
    Scenario& scenario = bench.scenario;
    scenario.initial = bench.start().state();  // its mode holds the ball
    REQUIRE(scenario.initial.mode.size() == 1);
    ExternalForce force;
    force.frame = 1;  // 0 is the ground
    force.from = 0.0;
    force.to = 1.0;
    force.force = up * g * Vector3d::UnitZ();
    scenario.forces = {force};
    const auto hit = event_of(bench, 0.1);
    REQUIRE(hit.has_value() == (up > 1.0));
    if (!hit) continue;
    CHECK(hit->kind == EventHit::Kind::release);
    CHECK(hit->tau <= kTime);
  }
}

}  // namespace pequod
