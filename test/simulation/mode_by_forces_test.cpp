// A new effort seldom changes which contacts are held: the first forces of the step tell.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod::test {
namespace {

constexpr double kBallWeight = 2.0 * 9.81, kLifts = 0.1;  // N of the ball, s

// Efforts on a guided ball that lies on the ground: half of its weight until it is lifted with
// twice that, for a tenth of a second.
Controller lift() {
  Controller controller;
  controller.name = "lift";
  controller.entity = 1;
  controller.period = 1e-3;
  controller.update = [](const ControlInput& input, std::span<double>, VectorXd& tau) {
    const double t = input.state.t + 1e-9;
    tau[0] = t < kLifts || t >= 2.0 * kLifts ? 0.5 * kBallWeight : 2.0 * kBallWeight;
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
    CHECK(pressed == doctest::Approx(0.5 * kBallWeight).epsilon(1e-12));
    CHECK(run.state().v[0] == doctest::Approx(9.81 * kLifts).epsilon(1e-12));
    CHECK(steps <= 202);  // a step or two more for the tick at which it leaves
  }
}

namespace {

// A trot; with a ball beside it that lies on the ground, and on no limb, modes are not read off
// first forces, but tried.
Scenario trot(const Folder& folder, const std::string& model, bool ball) {
  const std::string lies =
      "  ball: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, position: [0, 9, "
      "0.1],\n    shape: {sphere: {radius: 0.1}}}\n";
  return load(folder, fmt::format("duration: 1.8\nintegrator: {{method: rk4, step: 0.001}}\n"
                                  "contact: {{model: {}}}\nbodies:\n"
                                  "  ground: {{fixed: true, shape: {{plane: {{}}}}}}\n{}"
                                  "robots:\n  dog:\n    urdf: {}\n"
                                  "    controller: {{type: trot, velocity: [0.5, 0, 0]}}\n",
                                  model, ball ? lies : "",
                                  fs::absolute("examples/robots/mara.urdf").string()));
}

}  // namespace

// Each tick may lift a foot or let it slip, and nothing else is there that could tell.
TEST_CASE("feet go on to stick by first forces where a trial says so, and only there") {
  for (const std::string model : {"no-slip", "coulomb"}) {
    CAPTURE(model);
    const Folder folder;
    const Scenario by_forces = trot(folder, model, false), tried = trot(folder, model, true);
    Simulation run(by_forces), other(tried);
    run.run();
    other.run();
    const auto own = run.state().q.size();
    REQUIRE(other.state().q.size() == own + 7);
    CHECK(run.statistics().worst_newton < 1e-8);  // the forces that are told explain the motion
    CHECK((run.state().q - other.state().q.tail(own)).norm() < 1e-9);
    for (const EventKind kind : {EventKind::lift_off, EventKind::slip, EventKind::stick})
      CHECK(nth(run.statistics().events, kind) == nth(other.statistics().events, kind));
    CHECK(nth(run.statistics().events, EventKind::lift_off) > 2);
  }
}

}  // namespace pequod::test
