// Closed chains at the velocity level: rows of their loops turn as those of contacts and limits do.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod::test {
namespace {

// Six hinges closed to a ring by a ball joint; the last one meets a limit at 0.134 s.
std::string ring(const std::string& method, const std::string& model, const std::string& level,
                 double step) {
  constexpr const char* kLink =
      "      {0}:\n        mass: {1}\n        com: [0, {2}, -0.13]\n"
      "        inertia: {{ixx: {3}, iyy: {3}, izz: {4}}}\n"
      "        joint: {{parent: {5}, position: [0, 0, {6}], orientation: {{rpy: [0, {7}, 0]}}, "
      "type: revolute, axis: {8}}}\n";
  std::string text = fmt::format(
      "duration: 0.6\nintegrator: {{method: {}, step: {}}}\ncontact: {{model: {}, level: {}}}\n"
      "robots:\n  r:\n    base: {{fixed: true, position: [0, 0, 2]}}\n    links:\n      base: "
      "{{}}\n",
      method, step, model, level);
  const auto add = [&](const char* name, double mass, double com, const char* parent, double turn,
                       const std::string& axis) {
    text += fmt::format(kLink, name, mass, com, 0.006 * mass, 0.004 * mass, parent,
                        std::string(parent) == "base" ? 0.0 : -0.3, turn, axis);
  };
  add("l0", 0.633, -0.016, "base", -0.5043, "[-0.223261, 0.970816, -0.087586], damping: 0.019");
  add("l1", 1.286, -0.027, "l0", 0.9015, "[0.658011, -0.095605, -0.746914]");
  add("l2", 0.827, 0.019, "l1", 0.6730, "[-0.570345, 0.788019, 0.2318], damping: 0.0248");
  add("l3", 0.469, -0.025, "l2", 1.2158, "[-0.530218, 0.838008, -0.128883]");
  add("l4", 0.851, 0.004, "l3", 1.4676, "[0.251739, 0.353995, 0.90073]");
  add("l5", 0.378, -0.026, "l4", 1.4545,
      "[0.388894, 0.921075, -0.019575], limits: [-0.1363, 0.1960]");
  return text + "loops:\n  - {between: [r/l5, r/base], type: spherical, points: [[0, 0, -0.25]]}\n";
}

VectorXd run_to_end(const std::string& text) {
  const Scenario scenario = load(Folder(), text);
  Simulation run(scenario);
  run.run();
  return run.state().q;
}

}  // namespace

// At the acceleration level the limit lets go at once. Without the turn of the loops' rows the
// velocity level never let it go, whatever the step: 0.25 rad astray.
TEST_CASE("a limit of a closed chain lets go at the velocity level as at the acceleration level") {
  const VectorXd truth = run_to_end(ring("rk4", "coulomb", "acceleration", 1e-3));
  CHECK((run_to_end(ring("rk4", "coulomb", "velocity", 1e-3)) - truth).lpNorm<Eigen::Infinity>() <
        1e-6);
  for (const std::string model : {"coulomb", "no-slip", "stewart-trinkle"}) {
    CAPTURE(model);
    double off[2] = {};
    for (const int i : {0, 1})
      off[i] =
          (run_to_end(ring("symplectic-euler", model, "velocity", i == 0 ? 1e-3 : 2.5e-4)) - truth)
              .lpNorm<Eigen::Infinity>();
    CHECK(off[1] < 3e-3);
    CHECK(off[1] < 0.3 * off[0]);
  }
}

// A damped chain comes to rest on a limit. Damping forces of a Runge–Kutta step are those at its
// end without impulses, and their work on what both ends stop is a rounding, of either sign: it
// ended the run as if damping gave energy.
TEST_CASE("a damped linkage comes to rest on a joint limit") {
  for (const double step : {2e-3, 1e-3, 3e-4}) {
    CAPTURE(step);
    const Scenario scenario = load(
        Folder(),
        fmt::format(
            "duration: 0.5\nintegrator: {{method: rk4, step: {}}}\n"
            "contact: {{model: coulomb, level: velocity}}\nrobots:\n  r:\n"
            "    base: {{fixed: true, position: [0, 0, 2]}}\n    joints: {{l0: {{velocity: 3}}}}\n"
            "    links:\n      base: {{}}\n"
            "      l0: {{mass: 1, com: [0.15, 0, 0], inertia: {{ixx: 0.01, iyy: 0.01, izz: 0.01}}, "
            "joint: {{parent: base, type: revolute, axis: [0, 1, 0], damping: 0.05, limits: [-1, "
            "0.1]}}}}\n"
            "      l1: {{mass: 1, com: [0.15, 0, 0], inertia: {{ixx: 0.01, iyy: 0.01, izz: 0.01}}, "
            "joint: {{parent: l0, position: [0.3, 0, 0], orientation: {{rpy: [0, 1, 0]}}, type: "
            "revolute, axis: [0, 1, 0], damping: 0.05}}}}\n"
            "      l2: {{mass: 1, com: [0.15, 0, 0], inertia: {{ixx: 0.01, iyy: 0.01, izz: 0.01}}, "
            "joint: {{parent: l1, position: [0.3, 0, 0], orientation: {{rpy: [0, 1.2, 0]}}, type: "
            "revolute, axis: [0, 1, 0], damping: 0.05}}}}\n"
            "loops:\n  - {{between: [r/l2, r/base], type: revolute, points: [[0.3, 0, 0]], axes: "
            "[[0, 1, 0]]}}\n",
            step));
    Simulation run(scenario);
    run.run();
    CHECK(run.state().v.lpNorm<Eigen::Infinity>() < 1e-9);
    CHECK(run.state().q[0] == doctest::Approx(0.1).epsilon(1e-9));
  }
}

}  // namespace pequod::test
