// Trial steps that are taken for some bodies only.
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <utility>

#include "simulation/trial/stepper.h"
#include "test/simulation/trial_bench.h"

namespace pequod {
namespace {

// m, m/s: a projection of others more normalises quaternions once more.
constexpr double kRounding = 2e-15;

// Two balls side by side that touch, a stack of two, and one that flies, all on one floor.
Bench five_balls(const std::string& model, const std::string& method) {
  Bench bench(model, 0.01);
  bench.scenario.integrator.method = method;
  const Inertia ball = {1.0, Vector3d::Zero(), 0.004 * Matrix3d::Identity()};
  for (int i = 0; i < 5; ++i) bench.add(ball, Sphere{0.1});
  bench.build(0.3);
  const std::array<Vector3d, 5> places = {Vector3d(0.0, 0.0, 0.1), Vector3d(0.2, 0.0, 0.1),
                                          Vector3d(1.0, 0.0, 0.1), Vector3d(1.01, 0.0, 0.29976),
                                          Vector3d(2.0, 0.0, 0.5)};
  for (int i = 0; i < 5; ++i) {
    bench.scenario.initial.q.segment<3>(7 * i) = nth(places, i);
    bench.scenario.initial.v.segment<3>(6 * i + 3) << 0.1 * (4 - i), 0.02 * i, 0.0;
  }
  return bench;
}

void check_parts(Bench& bench) {
  bench.scenario.duration = 0.02;
  Simulation run = bench.start();
  run.run();
  const State& start = run.state();
  TrialBench trials(bench, start);
  REQUIRE(trials.touching.size() >= 3);
  Stepper& stepper = trials.stepper;
  stepper.at(0.01);
  // Shape 0 is the floor; bodies that belong together.
  const std::array<std::pair<int, int>, 3> together = {{{0, 1}, {2, 3}, {4, 4}}};
  for (const double tau : {0.004, 0.01, 0.007})
    for (const auto& [first, last] : together) {
      ContactKey key;
      key.shape_a = 1 + first;
      key.shape_b = 1 + last;
      const State part = stepper.at(tau, {&key, 1}).state;
      const State whole = stepper.at(tau).state;
      for (int body = first; body <= last; ++body) {
        CHECK((part.q - whole.q).segment<7>(7 * body).norm() <= kRounding);
        CHECK((part.v - whole.v).segment<6>(6 * body).norm() <= kRounding);
      }
      for (const ContactMode& mode : part.mode) {
        const ContactMode* same = find_mode(whole, mode.key);
        REQUIRE(same);
        const bool own = mode.key.shape_a == key.shape_a || mode.key.shape_b == key.shape_b;
        if (own) CHECK((mode.force_W - same->force_W).norm() <= 1e-12 * g);
      }
    }
}

}  // namespace

TEST_CASE("a trial step for the bodies of one island is that for all, to rounding") {
  for (const char* model : {"frictionless", "viscous"}) {
    Bench bench = five_balls(model, "rk4");
    check_parts(bench);
  }
  for (const char* model : {"coulomb", "no-slip", "drumwright-shell"}) {
    Bench bench = five_balls(model, "symplectic-euler");
    check_parts(bench);
  }
  Bench stages = five_balls("coulomb", "rk4");  // taken for all bodies
  check_parts(stages);
}

}  // namespace pequod
