// Contacts that run off what they touch, inside a step.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod::test {
namespace {

constexpr double kGravity = 9.81, kRadius = 0.05;

std::string scene(const std::string& method, const std::string& model, double step,
                  const std::string& bodies) {
  return fmt::format(
      "duration: 0.2\nintegrator: {{method: {}, step: {}}}\n"
      "contact: {{model: {}, level: acceleration}}\n"
      "surfaces: [{{between: ['*', '*'], friction: 0}}]\nbodies:\n{}",
      method, step, model, bodies);
}

// A ball on a table, 0.1997 m from its edge.
std::string on_table(const std::string& shape) {
  return fmt::format(
      "  table: {{fixed: true, shape: {{box: {{size: [0.6, 0.6, 0.2]}}}}, position: [0, 0, "
      "-0.1]}}\n"
      "  slides: {{mass: 1, shape: {{{}}}, position: [0.1003, 0, 0.05], orientation: {{rpy: "
      "[1.5707963267948966, 0, 0]}}, velocity: [2, 0, 0]}}\n",
      shape);
}

}  // namespace

// At 2 m/s, v² / r > g, it flies from the edge on: x = 0.1003 + 2 t, z = r − g (t − t₁)²/2, t₁ =
// 0.09985 s. Held to the plane of the table up to the end of the step, it was off by g times what
// was left of that: of order one, by integrators of order four and five. The end of a contact is
// found to 1e-12 s, and what starts there starts within the touching range of 1e-9 m.
TEST_CASE("what slides over the edge of a table without friction flies from there") {
  const std::string ball = fmt::format("sphere: {{radius: {}}}", kRadius);
  const std::string cylinder = fmt::format("cylinder: {{radius: {}, length: 0.2}}", kRadius);
  const double flight = 0.2 - 0.1997 / 2.0;
  for (const std::string method : {"rk4", "dopri5"})
    for (const std::string model : {"frictionless", "coulomb"})
      for (const std::string& shape : {ball, cylinder})
        for (const double step : {8e-3, 2.3e-3, 3.7e-4}) {
          CAPTURE(method);
          CAPTURE(model);
          CAPTURE(shape);
          CAPTURE(step);
          const Scenario scenario = load(Folder(), scene(method, model, step, on_table(shape)));
          Simulation run(scenario);
          run.run();
          const State& end = run.state();
          CHECK(run.statistics().fallbacks == 0);
          CHECK(std::abs(end.q[0] - 0.5003) < 1e-8);
          CHECK(std::abs(end.q[2] - (kRadius - 0.5 * kGravity * flight * flight)) < 1e-8);
          CHECK(std::abs(end.v[3] - 2.0) < 1e-8);
          CHECK(std::abs(end.v[5] + kGravity * flight) < 1e-8);
        }
}

// A ball that slides slowly along a capsule goes on over its round end: there its path bends, and
// its energy is what tells. Of order four with rk4, by halves of the step.
TEST_CASE("a ball slides on over the round end of a capsule, in the order of its integrator") {
  const auto end_of = [](const std::string& method, double step) {
    const Scenario scenario = load(
        Folder(),
        scene(method, "frictionless", step,
              "  lies: {fixed: true, shape: {capsule: {radius: 0.05, length: 0.6}}, orientation: "
              "{rpy: [0, 1.5707963267948966, 0]}, position: [0, 0, 0.1]}\n"
              "  ball: {mass: 1, shape: {sphere: {radius: 0.05}}, position: [0.2503, 0, 0.2], "
              "velocity: [0.6, 0, 0]}\n"));
    Simulation run(scenario);
    run.run();
    return VectorXd(run.state().q.head(3));
  };
  const VectorXd truth = end_of("rk4", 1.25e-4);
  const double coarse = (end_of("rk4", 4e-3) - truth).norm();
  const double fine = (end_of("rk4", 2e-3) - truth).norm();
  MESSAGE("off by " << coarse << ", " << fine << " m");
  CHECK(coarse < 1e-8);
  CHECK(fine < coarse / 8.0);
  CHECK((end_of("dopri5", 4e-3) - truth).norm() < 1e-11);
}

// Two points of a cone's rim on a cylinder run into one, whose rows tell nothing: closing its gap
// moved the cone by 0.94 m in a step, and turned it by 1.3 rad. It falls at less than 2 m/s.
TEST_CASE("closing gaps moves a body no farther than its steps may") {
  const Scenario scenario = load(
      Folder(),
      "duration: 0.3\nintegrator: {method: symplectic-euler, step: 0.001}\n"
      "contact: {model: coulomb, level: velocity}\n"
      "surfaces: [{between: ['*', '*'], friction: 0.3, restitution: 0}]\nbodies:\n"
      "  below: {fixed: true, shape: {cylinder: {radius: 0.1, length: 0.2}}, orientation: "
      "{quaternion: [0.10504762, 0.030568832, 0.890617264, 0.441397137]}}\n"
      "  cone: {mass: 0.672, shape: {cone: {radius: 0.04, length: 0.0807}}, position: [0.01137, "
      "0.04064, 0.27], orientation: {quaternion: [0.201862725, 0.013396501, 0.750306861, "
      "0.629373966]}, velocity: [0.3375, -0.0343, 0.1323], angular_velocity: [6.1075, -4.4622, "
      "-2.7882]}\n");
  Simulation run(scenario);
  double farthest = 0.0;  // m
  for (Vector3d before = run.state().q.head<3>(); run.step(); before = run.state().q.head<3>())
    farthest = std::max(farthest, (run.state().q.head<3>() - before).norm());
  MESSAGE("the farthest step goes " << farthest << " m");
  CHECK(farthest < 0.005);
}

}  // namespace pequod::test
