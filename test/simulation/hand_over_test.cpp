// Contacts beside each other that hand over, and those that lie on one line: energy tells whether
// rows that all but repeat each other were held.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod::test {
namespace {

struct Ended {
  State state;
  RunStatistics statistics;
  double kinetic = 0.0, total = 0.0;
};

Ended run_to_end(const Folder& folder, const std::string& text) {
  const Scenario scenario = load(folder, text);
  Simulation run(scenario);
  run.run();
  return {run.state(), run.statistics(),
          kinetic_energy(scenario.model, run.kinematics(), run.state().v),
          total_energy(scenario.model, run.kinematics(), run.state().v)};
}

std::string cone(double step, const std::string& model, const std::string& ground) {
  return fmt::format(
      "duration: 0.1\nintegrator: {{method: rk4, step: {}}}\n"
      "contact: {{model: {}, level: acceleration}}\n"
      "surfaces: [{{between: ['*', '*'], friction: 1}}]\nbodies:\n{}"
      "  cone: {{mass: 1, shape: {{cone: {{radius: 0.1, length: 0.2}}}}, "
      "position: [-0.10416407864998739, 0.04, 0.0670820393249937], "
      "orientation: {{rpy: [0, 2.0344439357957027, 0]}}, velocity: [0, -0.67082039, 0], "
      "angular_velocity: [10, 0, 0]}}\n",
      step, model, ground);
}

}  // namespace

// A cone that rolls on its side does no work, on a plane as on two boxes with a gap between or on
// facets. Its tip, rim and crossings are on one line, and within a step off it by (ω h)², 1e-4 of
// their distances: tangents along the line, held as if they were independent, doubled its energy.
TEST_CASE("a cone keeps its energy as it rolls over contacts in a line") {
  const Folder folder;
  folder.write("flat.txt", "3 3\n0 0 0\n0 0 0\n0 0 0\n");
  const std::string plane = "  ground: {fixed: true, shape: {plane: {}}}\n",
                    field =
                        "  ground: {fixed: true, shape: {heightfield: {file: flat.txt, "
                        "size: [2, 2]}}}\n",
                    boxes =
                        "  near: {fixed: true, shape: {box: {size: [1, 2, 1]}}, position: "
                        "[0.0837494143, 0.5217790927, -0.5], orientation: {rpy: [0, 0, 1.3]}}\n"
                        "  far: {fixed: true, shape: {box: {size: [1, 2, 1]}}, position: "
                        "[-0.2237494143, -0.4417790927, -0.5], orientation: {rpy: [0, 0, 1.3]}}\n";
  for (const std::string& ground : {plane, field, boxes})
    for (const std::string model : {"no-slip", "coulomb", "baraff"})
      for (const double step : {2e-3, 1e-3, 5e-4}) {
        CAPTURE(ground);
        CAPTURE(model);
        CAPTURE(step);
        const Ended ended = run_to_end(folder, cone(step, model, ground));
        CHECK(ended.statistics.fallbacks == 0);
        // RK4's own, 5e-9 J at 2 ms; it was 0.5 J.
        CHECK(ended.statistics.energy_residual_max < 1e-7);
      }
}

// The rim's contact is handed to the side's, with both held for a step of 1e-4 s, 1e-5 m apart:
// that step made 3 J of 2 J, or took a fifth of them, at a third of all lengths of steps.
TEST_CASE("a capsule that falls on a cylinder keeps what it has at any step") {
  const auto energy = [](double step) {
    return run_to_end(
               Folder(),
               fmt::format(
                   "duration: 0.4\nintegrator: {{method: rk4, step: {}}}\n"
                   "contact: {{model: no-slip, level: acceleration}}\n"
                   "surfaces: [{{between: ['*', '*'], friction: 0.5}}]\nbodies:\n"
                   "  low: {{fixed: true, shape: {{cylinder: {{radius: 0.09, length: 0.12}}}}, "
                   "orientation: {{rpy: [1.5707963267948966, 0, 0]}}}}\n"
                   "  cap: {{mass: 1, shape: {{capsule: {{radius: 0.06, length: 0.23}}}}, "
                   "position: [0.01, 0.01, 0.24], orientation: {{rpy: [1.7, 0, 0.1]}}}}\n",
                   step))
        .statistics.energy_residual_max;
  };
  for (int k = 0; k < 9; ++k) {
    const double step = 2e-4 + 1e-4 * k;
    CAPTURE(step);
    CHECK(energy(step) < 1e-6);  // RK4's own, 7e-8 J
  }
}

// Two balls that a spring holds together and that turn about each other, at rest and at 100 m/s.
TEST_CASE("what turns in flight turns as fast for whoever passes by") {
  const auto spin = [](double speed) {
    const Ended ended = run_to_end(
        Folder(),
        fmt::format("duration: 0.1\ngravity: [0, 0, 0]\nintegrator: {{method: rk4, step: 1e-4}}\n"
                    "contact: {{model: coulomb, level: velocity}}\n"
                    "surfaces: [{{between: ['*', '*'], friction: 0}}]\n"
                    "springs: [{{between: [a, b], stiffness: 1000, rest: 0}}]\nbodies:\n"
                    "  a: {{mass: 1, shape: {{sphere: {{radius: 0.05}}}}, position: [-0.05, 0, 0], "
                    "velocity: [{0}, -1, 0]}}\n"
                    "  b: {{mass: 1, shape: {{sphere: {{radius: 0.05}}}}, position: [0.05, 0, 0], "
                    "velocity: [{0}, 1, 0]}}\n",
                    speed));
    return ended.kinetic - speed * speed;  // of 2 kg
  };
  CHECK(std::abs(spin(0.0) - 1.0) < 1e-6);
  CHECK(std::abs(spin(100.0) - spin(0.0)) < 1e-7);
}

}  // namespace pequod::test
