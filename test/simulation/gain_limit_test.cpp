// How often a controller must act for its gains to be stable: closed forms of one joint, and runs.
#include "simulation/gain_limit.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "scene/scene.h"
#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod {
namespace {

constexpr double kSliderMass = 2.0;  // kg

struct SliderGains {
  double kp = 0.0, kd = 0.0, damping = 0.0, period = 0.0, step = 0.0;
  std::string method = "rk4";
};

// A slider on a rail without gravity, 0.1 m from its target.
std::string slider(const SliderGains& gains, double duration) {
  return fmt::format(
      "gravity: [0, 0, 0]\nduration: {:.17g}\nrecord: {{every: 1000}}\n"
      "integrator: {{method: {}, step: {:.17g}}}\nrobots:\n  r:\n    base: {{fixed: true}}\n"
      "    links:\n      rail: {{}}\n      sled: {{mass: {}, inertia: {{ixx: 1, iyy: 1, izz: 1}}, "
      "joint: {{parent: rail, type: prismatic, axis: [1, 0, 0], damping: {}}}}}\n"
      "    joints: {{sled: 0.1}}\n"
      "    controller: {{type: pd, kp: {}, kd: {}, period: {:.17g}, target: {{sled: 0}}}}\n",
      duration, gains.method, gains.step, kSliderMass, gains.damping, gains.kp, gains.kd,
      gains.period);
}

double limit_of(const SliderGains& gains) {
  const test::Folder folder;
  const Scenario scenario = test::load(folder, slider(gains, 1.0));
  return longest_stable_period(scenario, scenario.controllers.front());
}

// ½ kp x² + ½ m v² after a time.
double energy_after(const SliderGains& gains, double time) {
  const test::Folder folder;
  const Scenario scenario = test::load(folder, slider(gains, time));
  Simulation simulation(scenario);
  simulation.run();
  const double x = simulation.state().q[0], v = simulation.state().v[0];
  return 0.5 * (gains.kp * x * x + kSliderMass * v * v);
}

double growth_of(const SliderGains& gains) {
  const test::Folder folder;
  const Scenario scenario = test::load(folder, slider(gains, 1.0));
  return gain_growth(scenario, scenario.controllers.front());
}

}  // namespace

// det of the map from tick to tick is 1 − T kd/m + T² kp/2m: T < 2 kd/kp. Its other bound is an
// eigenvalue of −1: T < 2 m/kd. 2⁻¹² of the period, the end of the bisection, is what is known.
TEST_CASE("the longest period of one joint is the lesser of 2 m/kd and 2 kd/kp") {
  for (const double kd : {0.5, 2.0, 20.0, 200.0}) {
    const double kp = 50.0, longest = std::min(2.0 * kSliderMass / kd, 2.0 * kd / kp);
    CHECK(limit_of({kp, kd, 0.0, 0.7 * longest, 0.001}) == doctest::Approx(longest).epsilon(3e-4));
    CHECK(limit_of({kp, kd, 0.0, 1.3 * longest, 0.001}) == doctest::Approx(longest).epsilon(3e-4));
  }
}

TEST_CASE("symplectic Euler with a step a period has a bound of its own") {
  // 4 = 2 T kd/m + T² kp/m; a step is no longer than the period and no shorter.
  for (const double kd : {0.0, 5.0, 100.0}) {
    const double kp = 50.0, a = kp / kSliderMass, b = kd / kSliderMass;
    const double longest = (std::sqrt(b * b + 4.0 * a) - b) / a;
    const SliderGains gains{kp, kd, 0.0, 0.8 * longest, 10.0, "symplectic-euler"};
    CHECK(limit_of(gains) == doctest::Approx(longest).epsilon(3e-4));
  }
}

// Ticks that tell the two apart: by det = 1 ∓ 0.0006 a tick, and by an eigenvalue of −1 ± 0.05.
TEST_CASE("joints swing down with shorter periods and up with longer ones" *
          doctest::test_suite("heavy")) {
  for (const char* method : {"rk4", "symplectic-euler"})
    for (const auto& [kd, ticks] : {std::pair{1.0, 4000.0}, {40.0, 400.0}})
      for (const double damping : {0.0, 3.0}) {
        SliderGains gains{80.0, kd, damping, 0.01, 0.002, method};
        const double longest = limit_of(gains);
        REQUIRE(std::isfinite(longest));
        gains.period = 0.95 * longest;
        CHECK(energy_after(gains, ticks * gains.period) < 0.2 * energy_after(gains, 0.0));
        gains.period = 1.05 * longest;
        CHECK(energy_after(gains, ticks * gains.period) > 5.0 * energy_after(gains, 0.0));
      }
}

TEST_CASE("growth is that of the run") {
  // Without damping det = 1 + T² kp/2m, and both eigenvalues are that large.
  SliderGains gains{80.0, 0.0, 0.0, 0.01, 0.01};
  const double rate = 0.5 * std::log1p(0.5 * 0.01 * 0.01 * 80.0 / kSliderMass) / 0.01;
  CHECK(growth_of(gains) == doctest::Approx(rate).epsilon(1e-9));
  CHECK(limit_of(gains) == 0.0);
  // The energy swings by some percent within an oscillation.
  const double grown = std::log(energy_after(gains, 10.0) / energy_after(gains, 0.0)) / 20.0;
  CHECK(grown == doctest::Approx(rate).epsilon(0.02));
}

TEST_CASE("gains that swing up are a warning at their place, those that do not are none") {
  const auto warned = [](const SliderGains& gains) {
    return test::report(slider(gains, 10.0), Severity::warning);
  };
  CHECK(warned({50.0, 2.0, 0.0, 0.05, 0.001}).empty());
  // det = 1.16, ln(1.16)/2/0.16 s = 1/2.16 s.
  CHECK(warned({50.0, 2.0, 0.0, 0.16, 0.001}) ==
        "s.yaml:12:17: warning: robots.r.controller: gains make the joints swing up, by a factor e "
        "every 2.16 s: efforts are held for 0.16 s between ticks, and they are stable up to 0.08 "
        "s; shorten controller.period, or raise kd\n");
  CHECK(warned({50.0, 0.0, 0.0, 0.01, 0.001}).find("nothing damps them; raise kd") !=
        std::string::npos);
  CHECK(warned({50.0, 200.0, 0.0, 0.03, 0.001}).find("or lower kd") != std::string::npos);
}

}  // namespace pequod
