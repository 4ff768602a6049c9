// One trial step by itself: impulses, forces of what is held, and what the end is projected onto.
#include <doctest/doctest.h>

#include <string>

#include "test/simulation/trial_bench.h"

namespace pequod {
namespace {

constexpr double kHalf = 0.1, kHeavyBox = 2.0;  // m, kg

// A ball, or a cube as wide, over a plane.
Bench one_body(const std::string& model, const std::string& method, bool cube, double mu) {
  Bench bench(model, 0.01);
  bench.scenario.integrator.method = method;
  const Vector3d size = Vector3d::Constant(2.0 * kHalf);
  if (cube)
    bench.add(box_inertia(kHeavyBox, size), Box{size});
  else
    bench.add({kHeavyBox, Vector3d::Zero(), 0.008 * Matrix3d::Identity()}, Sphere{kHalf});
  bench.build(mu);
  bench.scenario.initial.q[2] = kHalf;
  return bench;
}

Vector3d total_force(const State& state) {
  Vector3d sum = Vector3d::Zero();
  for (const ContactMode& mode : state.mode) sum += mode.force_W;
  return sum;
}

}  // namespace

// The impulse m g h over h, whatever h is.
TEST_CASE("impulses of a step carry a ball that rests, and do no work") {
  Bench bench = one_body("coulomb", "symplectic-euler", false, 0.5);
  TrialBench trials(bench);
  for (const double h : {1e-2, 1e-3, 1e-5}) {
    const Trial& trial = trials.stepper.at(h);
    CHECK((total_force(trial.state) - kHeavyBox * g * Vector3d::UnitZ()).norm() <=
          1e-11 * kHeavyBox * g);
    CHECK(trial.state.v.norm() <= 1e-15);
    CHECK(std::abs(trial.work.impulse_normal) <= 1e-15);
    CHECK_FALSE(trial.lands);
  }
}

// Friction μ m g, v⁺ = v − μ g h, and the loss is the force times the mean way.
TEST_CASE("impulses of a step brake a cube that slides by Coulomb's law") {
  constexpr double mu = 0.3, v = 1.0, h = 0.01;
  Bench bench = one_body("coulomb", "symplectic-euler", true, mu);
  bench.scenario.initial.v[3] = v;
  TrialBench trials(bench);
  const Trial& trial = trials.stepper.at(h);
  CHECK(std::abs(total_force(trial.state).x() + mu * kHeavyBox * g) <= 1e-9);
  CHECK(std::abs(trial.state.v[3] - (v - mu * g * h)) <= 1e-11);
  const double way = h * (v - 0.5 * mu * g * h);
  CHECK(std::abs(trial.work.impulse_friction - mu * kHeavyBox * g * way) <= 1e-10);
}

// A ball 1 mm over the ground that falls at 1 m/s may come nearer by its gap within 2 ms: it ends
// on the ground, with the speed of that way.
TEST_CASE("impulses of a step let what is in reach close its gap and no more") {
  constexpr double gap = 1e-3, h = 2e-3;
  Bench bench = one_body("coulomb", "symplectic-euler", false, 0.5);
  bench.scenario.initial.q[2] += gap;
  bench.scenario.initial.v[5] = -1.0;
  TrialBench trials(bench, 2.0 * gap);
  REQUIRE(trials.touching.size() == 1);
  const Trial& trial = trials.stepper.at(h);
  CHECK(std::abs(trial.state.q[2] - kHalf) <= 1e-13);
  CHECK(std::abs(trial.v_plus[5] + gap / h) <= 1e-10);
  CHECK(trial.lands);
}

// Gravity g is held by m g in every stage; along the plane nothing acts.
TEST_CASE("a held ball glides on at its height, with its weight as the force") {
  for (const char* method : {"rk4", "dopri5", "symplectic-euler"}) {
    CAPTURE(method);
    Bench bench = one_body("frictionless", method, false, 0.0);
    bench.scenario.initial = bench.start().state();
    bench.scenario.initial.v[3] = 2.0;
    TrialBench trials(bench);
    const Trial& trial = trials.stepper.at(0.01);
    REQUIRE(trial.held.set().touching.size() == 1);
    CHECK(std::abs(trial.motion.held.force[0] - kHeavyBox * g) <= 1e-12 * kHeavyBox * g);
    CHECK(std::abs(trial.state.q[0] - 0.02) <= 1e-15);
    CHECK(std::abs(trial.state.q[2] - kHalf) <= 1e-13);
    CHECK(trial.state.v[5] == doctest::Approx(0.0).epsilon(1e-15));
  }
}

// Bits: nothing of a trial is left for the next. (Impulses of 32 contacts and more start from those
// of the trial before.)
TEST_CASE("a trial depends on the start and its length alone") {
  for (const char* method : {"rk4", "symplectic-euler"})
    for (const char* model : {"coulomb", "no-slip", "viscous", "frictionless", "stewart-trinkle"}) {
      CAPTURE(method);
      CAPTURE(model);
      Bench bench = one_body(model, method, true, 0.4);
      bench.scenario.initial = bench.start().state();
      bench.scenario.initial.v.segment<3>(3) << 0.3, -0.2, 0.0;
      bench.scenario.initial.v[2] = 0.5;
      if (std::string(method) == "rk4") {  // what slides has a mode of its own
        bench.scenario.duration = 1e-3;
        bench.scenario.integrator.step = 1e-3;
        Simulation run = bench.start();
        run.run();
        bench.scenario.initial = run.state();
      }
      TrialBench one(bench), other(bench);
      const State first = one.stepper.at(4e-3).state;
      for (const double tau : {1e-2, 1e-4, 7e-3}) (void)other.stepper.at(tau);
      const Trial& again = other.stepper.at(4e-3);
      CHECK(again.state.q == first.q);
      CHECK(again.state.v == first.v);
      REQUIRE(again.state.mode.size() == first.mode.size());
      for (std::size_t i = 0; i < first.mode.size(); ++i)
        CHECK(again.state.mode[i].force_W == first.mode[i].force_W);
    }
}

// Alone it would fly 2 mm up; as one body with the ground it stays.
TEST_CASE("bodies that are joined move as one") {
  Bench bench = one_body("coulomb", "symplectic-euler", false, 0.5);
  bench.scenario.initial.v[5] = 1.0;
  TrialBench trials(bench);
  CHECK(trials.stepper.at(2e-3).state.q[2] > kHalf + 1.9e-3);
  trials.stepper.join({{0, 1}});
  const Trial& trial = trials.stepper.at(2e-3);
  CHECK(trial.state.v.norm() <= 1e-13);
  CHECK(std::abs(trial.state.q[2] - kHalf) <= 1e-15);
}

}  // namespace pequod
