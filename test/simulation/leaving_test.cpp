// What leaves a contact by turning, from rest along the normal.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "test/simulation/referee.h"
#include "test/simulation/stage_bench.h"

namespace pequod {
namespace {

constexpr double kHeight = 0.2;        // m, of the centre over the tip
constexpr double kLeavingStep = 1e-3;  // s

/// A top on its tip, which stands still while its centre passes over it: the tip is accelerated by
/// ω² · height upwards, `lift` times what gravity takes.
Bench top_on_tip(const std::string& model, const std::string& method, double lift) {
  Bench bench(model, kLeavingStep);
  bench.scenario.integrator.method = method;
  const Cone cone{0.05, 2.0 * kHeight};
  bench.add({1.0, Vector3d::Zero(), 0.01 * Matrix3d::Identity()}, cone);
  bench.build(0.0);
  const double omega = std::sqrt(lift * g / kHeight);
  bench.scenario.initial.q << 0.0, 0.0, kHeight, 0.0, 1.0, 0.0, 0.0;
  bench.scenario.initial.v << 0.0, omega, 0.0, kHeight * omega, 0.0, 0.0;
  bench.scenario.duration = 0.04;
  return bench;
}

}  // namespace

// From there on it flies: x = h ω t, z = h − g t²/2, ω as it was. Below lift 2 a step of symplectic
// Euler by itself sinks: its gap is h² (½ ω² h − g) after it. RK4 flies to rounding. Symplectic
// Euler is late by half a step, and at the velocity level by one more: impulses do not know of the
// turn in the step in which they act.
TEST_CASE("a tip that its turning body lifts leaves at once, by either integrator") {
  for (const std::string model :
       {"frictionless", "coulomb", "baraff", "no-slip", "viscous", "stewart-trinkle"}) {
    for (const std::string method : {"rk4", "symplectic-euler"}) {
      for (const double lift : {1.1, 1.5, 1.9, 2.5}) {
        CAPTURE(model);
        CAPTURE(method);
        CAPTURE(lift);
        Bench bench = top_on_tip(model, method, lift);
        Simulation run = bench.start();
        const test::Referee referee = test::watch(run, bench.scenario.model);
        CHECK(run.statistics().fallbacks == 0);
        CHECK(referee.overlap() <= 1e-12);
        const bool first_order = method != "rk4" || model == "stewart-trinkle";
        const double late = first_order ? g * kLeavingStep : 1e-12;  // m/s
        const double t = run.state().t, omega = std::sqrt(lift * g / kHeight);
        const State& state = run.state();
        CHECK(std::abs(state.q[0] - kHeight * omega * t) < 1e-12);
        CHECK(std::abs(state.q[2] - (kHeight - 0.5 * g * t * t)) < 1e-12 + 1.5 * late * t);
        CHECK(std::abs(state.v[1] - omega) < 1e-12);
        CHECK(std::abs(state.v[5] + g * t) < 1.001 * late);
      }
    }
  }
}

// A little slower the tip is held. A step of impulses lets it slip by its turn, ½ ω² h step².
TEST_CASE("a tip that its turning body does not lift stays") {
  for (const std::string method : {"rk4", "symplectic-euler"}) {
    CAPTURE(method);
    Bench bench = top_on_tip("no-slip", method, 0.9);
    bench.scenario.duration = 0.02;
    Simulation run = bench.start();
    run.run();
    CHECK(run.statistics().fallbacks == 0);
    const auto& q = run.state().q;
    const Vector3d axis = Quaterniond(q[3], q[4], q[5], q[6]) * Vector3d::UnitZ();
    const double slip = 0.5 * 0.9 * g * kLeavingStep * bench.scenario.duration;
    CHECK((q.head<3>() + kHeight * axis).norm() < (method == "rk4" ? 1e-10 : slip));
    CHECK(std::abs(q[2] + kHeight * axis.z()) < 1e-12);
  }
}

}  // namespace pequod
