// Viscous friction in the steps of impulses that bridge what no event explains.
#include <doctest/doctest.h>

#include "simulation/trial/book_step.h"
#include "test/simulation/trial_bench.h"

namespace pequod {
namespace {

constexpr double kMass = 2.0, kRadius = 0.1, kInertia = 0.008;  // kg, m, kg m²
constexpr double kSlip = 1.5;                                   // m/s, along x

// The end of a bridging step of a ball that slides over the floor, and what it books.
struct Bridged {
  State state;
  double newton = 0.0;
  double energy_lost = 0.0;  // J, kinetic, at the pose of the start
};

// @param closed, share  what the mode of its contact says
Bridged bridge(double viscous, double tau, bool closed = true, double share = 1.0) {
  Bench bench("viscous", 1e-3);
  bench.add({kMass, Vector3d::Zero(), kInertia * Matrix3d::Identity()}, Sphere{kRadius});
  bench.build(0.0);
  bench.scenario.model = bench.builder.build({{"*", "*", {.viscous = viscous}}});
  bench.scenario.model.gravity = {0.0, 0.0, -g};
  const Model& model = bench.scenario.model;
  State start = make_state(model);
  start.q[2] = kRadius;
  start.v[3] = kSlip;
  const TrialBench step(bench, start);
  REQUIRE(step.touching.size() == 1);
  ContactMode mode = closed_mode(step.touching.contacts[0]);
  mode.closed = closed;
  mode.share = share;
  start.mode = {mode};
  Stepper stepper(step.world, make_fallback_method(step.world));
  stepper.begin(start, step.touching);
  Evaluator here(model);
  here.at(start.q, start.v);
  Bridged out{stepper.at(tau).state, stepper.newton_residual(0.0), 0.0};
  const double before = kinetic_energy(model, here.kinematics(), start.v);
  book_step(model, stepper.start(), stepper.trial(), out.state);
  here.at(start.q, out.state.v);
  out.energy_lost = before - kinetic_energy(model, here.kinematics(), out.state.v);
  return out;
}

double slip(const State& state) { return state.v[3] - kRadius * state.v[1]; }

}  // namespace

TEST_CASE("bridging steps: a ball is slowed by viscous friction at the end of each") {
  // With f over τ the slip is u (1 − τ w f/u), w = 1/m + r²/I; f = μu/(1 + μwτ) is backward
  // Euler's, u/(1 + μwτ), whatever μ. From 1e-5 to 1e5 times what stops it within the step.
  constexpr double response = 1.0 / kMass + kRadius * kRadius / kInertia;
  for (const double viscous : {0.1, 30.0, 1e4, 1e9}) {
    constexpr double tau = 1e-4;
    CAPTURE(viscous);
    const Bridged out = bridge(viscous, tau);
    const double force = viscous * kSlip / (1.0 + viscous * response * tau);
    // Rounding of a speed of 1 m/s, and of the force that it takes over τ.
    CHECK(slip(out.state) ==
          doctest::Approx(kSlip / (1.0 + viscous * response * tau)).epsilon(1e-12));
    CHECK(std::abs(out.state.v[3] - (kSlip - tau * force / kMass)) <= 1e-14);
    REQUIRE(out.state.mode.size() == 1);
    const Vector3d& told = out.state.mode[0].force_W;
    CHECK((told - Vector3d(-force, 0.0, kMass * g)).norm() <= 1e-12 * (force + kMass * g));
    CHECK(out.newton <= 1e-12);
    CHECK(out.state.ledger.friction_loss == doctest::Approx(out.energy_lost).epsilon(1e-9));
  }
}

TEST_CASE(
    "bridging steps: friction acts where the mode says that there is contact, and its share") {
  constexpr double tau = 1e-4, viscous = 30.0;
  constexpr double response = 1.0 / kMass + kRadius * kRadius / kInertia;
  CHECK(bridge(viscous, tau, false).state.v[3] == kSlip);
  CHECK(bridge(viscous, tau, false).state.ledger.friction_loss == 0.0);
  // A quarter of it is that of a quarter of μ.
  const double left = kSlip / (1.0 + 0.25 * viscous * response * tau);
  CHECK(slip(bridge(viscous, tau, true, 0.25).state) == doctest::Approx(left).epsilon(1e-12));
}

}  // namespace pequod
