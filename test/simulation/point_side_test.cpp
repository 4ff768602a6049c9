// Scenes whose bodies are listed in either order.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod::test {
namespace {

const char* const kFloor = "  ground: {fixed: true, shape: {plane: {}}}\n";

// The end of a run with the ground before or behind a body.
State run_listed(const std::string& rest, const std::string& body, bool ground_first) {
  const Scenario scenario =
      load(Folder(), fmt::format("duration: 1\nsurfaces: [{{between: ['*', '*'], friction: 0.3}}]\n"
                                 "{}bodies:\n{}",
                                 rest, ground_first ? kFloor + body : body + kFloor));
  Simulation run(scenario);
  run.run();
  return run.state();
}

}  // namespace

// Friction takes 2/7 of what slides in, whatever the gap that is left when it begins: by the ground
// first it had acted below the ball.
TEST_CASE("a ball that lands within a step rolls at five sevenths by either order") {
  const std::string ball =
      "  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1003], "
      "velocity: [0.4, 0, -0.5]}\n";
  for (const std::string scheme : {"event-driven", "time-stepping"})
    for (const bool ground_first : {true, false}) {
      CAPTURE(scheme);
      CAPTURE(ground_first);
      const State end =
          run_listed(fmt::format("integrator: {{method: symplectic-euler, step: 0.001}}\n"
                                 "contact: {{model: coulomb, level: velocity, scheme: {}}}\n",
                                 scheme),
                     ball, ground_first);
      CHECK(std::abs(end.v[3] - 5.0 / 7.0 * 0.4) < 1e-12);
      CHECK(std::abs(end.v[1] - 50.0 / 7.0 * 0.4) < 1e-11);
    }
}

// Rim and tip are held along the line between them by rows that repeat each other: to rounding only
// if both points are on the ground.
TEST_CASE("a cone rolls by the same bits in either order") {
  const std::string cone =
      "  cone: {mass: 1, shape: {cone: {radius: 0.1, length: 0.3}}, "
      "position: [-0.21345374206136558, 0, 0.07115124735378854], "
      "orientation: {rpy: [0, 1.8925468811915387, 0]}, velocity: [0, -0.21345374206136564, 0], "
      "angular_velocity: [3, 0, 0]}\n";
  const std::string rest = "integrator: {method: rk4, step: 0.002}\ncontact: {model: no-slip}\n";
  const State one = run_listed(rest, cone, true), other = run_listed(rest, cone, false);
  CHECK(one.q == other.q);
  CHECK(one.v == other.v);
}

}  // namespace pequod::test
