// Viscous friction that is fast against the step: how fast, when it is unstable, and taken
// implicitly.
#include "simulation/viscous_limit.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "scene/scene.h"
#include "simulation/simulation.h"
#include "test/scene/fixture.h"
#include "test/support/worst.h"

namespace pequod {
namespace {

constexpr double kBoxMass = 2.0;  // kg, sled and block
constexpr int kCorners = 4;       // of the block, all on the ground

// A block of 1 kg on a sled of 1 kg that keeps it level: it slides along x at 3 m/s.
std::string slide(double mu, double step, const std::string& integrator,
                  const std::string& viscous) {
  return "duration: 0.1\nrecord: {every: 0.1}\nintegrator: {method: " + integrator +
         ", step: " + std::to_string(step) + "}\ncontact: {model: viscous, viscous: " + viscous +
         "}\nsurfaces: [{between: [\"*\", \"*\"], viscous: " + std::to_string(mu) + "}]" + R"(
bodies: {ground: {fixed: true, shape: {plane: {}}}}
robots:
  r:
    base: {fixed: true, position: [0, 0, 0.1]}
    links:
      rail: {}
      sled: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, joint: {parent: rail, type: prismatic, axis: [1, 0, 0]}}
      block: {mass: 1, shape: {box: {size: [0.4, 0.3, 0.2]}}, joint: {parent: sled, type: prismatic, axis: [0, 0, 1]}}
    joints: {sled: {velocity: 3}}
)";
}

struct LimitOutcome {
  double speed = 0.0;     ///< m/s at the end
  double residual = 0.0;  ///< J
  RunStatistics statistics;
};
LimitOutcome end_of(const std::string& text) {
  const test::Folder folder;
  const Scenario scenario = test::load(folder, text);
  Simulation simulation(scenario);
  simulation.run();
  return {simulation.state().v[0], simulation.statistics().energy_residual_max,
          simulation.statistics()};
}

}  // namespace

TEST_CASE("the rate of viscous friction is that of all contacts together") {
  const test::Folder folder;
  for (const double mu : {0.5, 1e4}) {
    const Scenario scenario = test::load(folder, slide(mu, 0.001, "symplectic-euler", "implicit"));
    const double rate = viscous_rate(scenario, scenario.initial);
    // Across the rail it cannot move, and its corners lift no motion but x.
    CHECK(rate == doctest::Approx(kCorners * mu / kBoxMass).epsilon(1e-12));
  }
}

TEST_CASE("a step beyond the limit is reported, and only that") {
  const double mu = 1000.0, rate = kCorners * mu / kBoxMass;
  for (const auto& [integrator, limit] :
       {std::pair{"symplectic-euler", 2.0}, {"rk4", 2.7853}, {"dopri5", 3.3066}}) {
    const std::string below = slide(mu, 0.999 * limit / rate, integrator, "explicit"),
                      beyond = slide(mu, 1.001 * limit / rate, integrator, "explicit");
    CHECK(test::report(below, Severity::warning).empty());
    CHECK(test::report(beyond, Severity::warning).find("viscous friction decays at 2000 1/s: ") !=
          std::string::npos);
    CHECK(end_of(below).statistics.viscous_rate_max == doctest::Approx(rate).epsilon(1e-9));
  }
}

TEST_CASE("explicit viscous friction decays below the limit and grows beyond it") {
  const double mu = 1000.0, rate = kCorners * mu / kBoxMass;
  CHECK(std::abs(end_of(slide(mu, 1.9 / rate, "symplectic-euler", "explicit")).speed) < 0.1);
  CHECK(std::abs(end_of(slide(mu, 2.1 / rate, "symplectic-euler", "explicit")).speed) > 30.0);
}

// Backward Euler: v_n = v₀ / (1 + h λ)ⁿ whatever h λ is; the work of the friction is booked with
// the mean velocity, which is exact.
TEST_CASE("implicit viscous friction stops a block at any coefficient") {
  for (const double mu : {10.0, 1e3, 1e6, 1e9}) {
    const double h = 0.001, rate = kCorners * mu / kBoxMass;
    const LimitOutcome run = end_of(slide(mu, h, "symplectic-euler", "implicit"));
    const double expected = 3.0 / std::pow(1.0 + h * rate, 100);
    CHECK(std::abs(run.speed - expected) < 1e-12 * 3.0);
    CHECK(run.residual < 1e-12);
  }
}

TEST_CASE("implicit viscous friction is of order one") {
  const double mu = 10.0, expected = 3.0 * std::exp(-kCorners * mu / kBoxMass * 0.1);
  const auto error = [&](double h) {
    return std::abs(end_of(slide(mu, h, "symplectic-euler", "implicit")).speed - expected);
  };
  const double coarse = error(0.002), fine = error(0.001);
  MESSAGE("errors " << coarse << ", " << fine << " m/s");
  CHECK(std::log2(coarse / fine) > 0.95);
  CHECK(std::log2(coarse / fine) < 1.05);
}

TEST_CASE("implicit viscous friction is refused where it has no meaning") {
  CHECK(test::report(slide(1.0, 0.001, "rk4", "implicit"))
            .find("contact.viscous: implicit is for symplectic-euler; the stages of rk4 are "
                  "explicit; use symplectic-euler, or explicit and shorter steps") !=
        std::string::npos);
}

}  // namespace pequod
