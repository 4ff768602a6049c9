// A new effort seldom changes which contacts are held: the first forces of the step tell.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod::test {
namespace {

constexpr double kWeight = 2.0 * 9.81, kLifts = 0.1;  // N of the ball, s

// Efforts on a guided ball that lies on the ground: half of its weight until it is lifted with
// twice that, for a tenth of a second.
Controller lift() {
  Controller controller;
  controller.name = "lift";
  controller.entity = 1;
  controller.period = 1e-3;
  controller.update = [](const ControlInput& input, std::span<double>, VectorXd& tau) {
    const double t = input.state.t + 1e-9;
    tau[0] = t < kLifts || t >= 2.0 * kLifts ? 0.5 * kWeight : 2.0 * kWeight;
  };
  return controller;
}

Scenario ball_on_ground(const Folder& folder, const std::string& model) {
  Scenario scenario =
      load(folder, fmt::format("duration: 0.2\nintegrator: {{method: rk4, step: 0.001}}\n"
                               "contact: {{model: {}}}\nbodies:\n"
                               "  ground: {{fixed: true, shape: {{plane: {{}}}}}}\n"
                               "robots:\n  guide:\n    base: {{fixed: true}}\n    links:\n"
                               "      base: {{mass: 1, inertia: {{ixx: 1, iyy: 1, izz: 1}}}}\n"
                               "      ball: {{mass: 2, shape: {{sphere: {{radius: 0.1}}}},\n"
                               "        joint: {{name: z, parent: base, type: prismatic,"
                               " position: [0, 0, 0.1], axis: [0, 0, 1]}}}}\n",
                               model));
  scenario.controllers.push_back(lift());
  return scenario;
}

}  // namespace

// Twice the weight lifts it at g: ½ g t², from the tick on, which RK4 has to rounding. The ground
// bears the other half before.
TEST_CASE("a contact that an effort lifts at a tick is let go at that tick") {
  for (const std::string model : {"viscous", "frictionless"}) {
    CAPTURE(model);
    const Folder folder;
    double pressed = 0.0;
    int steps = 0;
    Observer observer;
    observer.step = [&](const StepReport& report) { steps += report.t > 0.0; };
    const Scenario scenario = ball_on_ground(folder, model);
    Simulation run(scenario, observer);
    while (run.step()) {
      if (run.state().t > 0.5 * kLifts && pressed == 0.0 && !run.state().mode.empty())
        pressed = run.state().mode[0].force_W.z();
      const double since = run.state().t - kLifts;
      const double height = since > 0.0 ? 0.5 * 9.81 * since * since : 0.0;
      REQUIRE(run.state().q[0] == doctest::Approx(height).epsilon(1e-9).scale(1e-3));
    }
    CHECK(pressed == doctest::Approx(0.5 * kWeight).epsilon(1e-12));
    CHECK(run.state().v[0] == doctest::Approx(9.81 * kLifts).epsilon(1e-12));
    CHECK(steps <= 202);  // a step or two more for the tick at which it leaves
  }
}

}  // namespace pequod::test
