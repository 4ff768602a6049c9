// The guard on Newton's law: it is silent where forces are those that move, and tells those that
// are not, of each body by itself.
#include "simulation/trial/newton.h"

#include <doctest/doctest.h>

#include <string>

#include "test/simulation/trial_bench.h"

namespace pequod {
namespace {

constexpr double kHalfCube = 0.1, kLight = 1.0, kHeavy = 1e8;  // m, kg

// A cube of 1 kg that slides on a plate of 1e8 kg on the ground.
Bench cube_on_plate(const std::string& model, const std::string& method) {
  Bench bench(model, 1e-3);
  bench.scenario.integrator.method = method;
  const Vector3d plate(2.0, 2.0, 2.0 * kHalfCube), cube = Vector3d::Constant(2.0 * kHalfCube);
  bench.add(box_inertia(kHeavy, plate), Box{plate});
  bench.add(box_inertia(kLight, cube), Box{cube});
  bench.build(0.3);
  VectorXd& q = bench.scenario.initial.q;
  q[2] = kHalfCube;
  q[9] = 3.0 * kHalfCube;
  bench.scenario.initial.v[9] = 1.0;
  return bench;
}

double residual(const TrialBench& trials, const Trial& trial) {
  ForceBalance balance;
  return newton_residual(trials.stepper.method(), trials.stepper.start(), trial, balance);
}

bool between(const ContactKey& key, int a, int b) {
  return (key.shape_a == a && key.shape_b == b) || (key.shape_a == b && key.shape_b == a);
}

}  // namespace

// A force of the cube that is told too large by one part in a million shows as about that, though
// it is 1e-14 of what carries the plate.
TEST_CASE("a force that is not the one that acts is told, of a light body on a heavy one too") {
  for (const char* method : {"symplectic-euler", "rk4"})
    for (const char* model : {"coulomb", "no-slip", "frictionless", "viscous", "stewart-trinkle"}) {
      CAPTURE(method);
      CAPTURE(model);
      Bench bench = cube_on_plate(model, method);
      Simulation run = bench.start();
      (void)run.step();
      TrialBench trials(bench, run.state());
      Trial trial = trials.stepper.at(1e-3);
      CHECK(residual(trials, trial) <= 1e-11);
      int planted = 0;
      for (ContactMode& mode : trial.state.mode)
        if (between(mode.key, 1, 2) && mode.force_W.z() > 0.1) {
          mode.force_W *= 1.0 + 1e-6;
          ++planted;
        }
      REQUIRE(planted > 0);
      CHECK(residual(trials, trial) >= 1e-8);
      CHECK(residual(trials, trial) <= 1e-6);
    }
}

// Forces may explain a motion that contacts cannot make: one that pulls by a hundredth of the
// weight, with the others as they balance it or not, is told with at least that.
TEST_CASE("a contact that pulls is told") {
  for (const char* model : {"frictionless", "viscous"}) {
    CAPTURE(model);
    Bench bench(model, 1e-3);
    bench.scenario.integrator.method = "rk4";
    bench.add(box_inertia(kLight, Vector3d::Constant(2.0 * kHalfCube)), Sphere{kHalfCube});
    bench.build(0.3);
    bench.scenario.initial.q[2] = kHalfCube;
    Simulation run = bench.start();
    (void)run.step();
    TrialBench trials(bench, run.state());
    Trial trial = trials.stepper.at(1e-3);
    CHECK(residual(trials, trial) <= 1e-11);
    REQUIRE(trial.state.mode.size() == 1);
    ContactMode& mode = trial.state.mode.front();
    // What the cube's weight asks for, from the other side: the motion is explained.
    mode.normal_W = -mode.normal_W;
    CHECK(residual(trials, trial) >= 0.5);
  }
}

}  // namespace pequod
