#include <doctest/doctest.h>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod::test {

// A cone runs into a box in flight, its rim and edges over several of the box. Two contacts that
// carried nothing held tangents against each other with 2e6 N: from 33 to 262 J in one step.
// Nothing drives them, so kinetic energy can but fall.
TEST_CASE("no-slip holds no contact fast that does not press") {
  const Scenario scenario = load(
      Folder(),
      "duration: 0.004\nintegrator: {method: symplectic-euler, step: 0.002}\n"
      "contact: {model: no-slip, scheme: time-stepping}\ngravity: [0, 0, 0]\n"
      "surfaces: [{between: ['*', '*'], friction: 1, restitution: 0}]\nbodies:\n"
      "  box: {mass: 6.0707, shape: {box: {size: [0.087033, 0.14931, 0.11532]}}, "
      "position: [0.33236, -0.30675, 0.059277], orientation: {quaternion: [0.93847, 0.0065752, "
      "0.017894, -0.34484]}, velocity: [-0.43058, 0.36582, -0.39352], angular_velocity: [-6.1713, "
      "-7.2637, 0]}\n"
      "  cone: {mass: 6.5548, shape: {cone: {radius: 0.056396, length: 0.076054}}, "
      "position: [0.31452, -0.33747, 0.15077], orientation: {quaternion: [-0.44479, 0.59835, "
      "0.652, "
      "-0.13797]}, velocity: [-0.80105, -1.134, -2.0052], angular_velocity: [-10.755, 34.235, "
      "-52.056]}\n");
  Simulation run(scenario);
  const double before = kinetic_energy(scenario.model, run.kinematics(), run.state().v);
  run.run();
  CHECK(kinetic_energy(scenario.model, run.kinematics(), run.state().v) < before);
}

}  // namespace pequod::test
