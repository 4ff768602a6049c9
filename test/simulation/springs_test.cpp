// Springs and dampers against closed forms.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "simulation/errors.h"
#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod::test {
namespace {

// A ball of 2 kg on a spring of 50 N/m along x, 0.1 m beyond its rest.
std::string ball_on_spring(const std::string& integrator, double step, double damping) {
  return fmt::format(
      "duration: 2\nrecord: {{every: 2}}\ngravity: [0, 0, 0]\nintegrator: {{method: {}, step: "
      "{}}}\n"
      "contact: {{model: frictionless}}\nbodies:\n  ball: {{mass: 2, shape: {{sphere: {{radius: "
      "0.1}}}}, position: [1.1, 0, 0]}}\nsprings:\n  - {{between: [world, ball], stiffness: 50, "
      "damping: {}, rest: 1}}\n",
      integrator, step, damping);
}

double off_at_end(const std::string& integrator, double step, double damping, Ledger* ledger) {
  const Folder folder;
  const Scenario scenario = load(folder, ball_on_spring(integrator, step, damping));
  Simulation run(scenario);
  run.run();
  if (ledger) *ledger = run.state().ledger;
  const double decay = damping / 4.0, turn = std::sqrt(25.0 - decay * decay);
  const double truth = 1.0 + 0.1 * std::exp(-decay * 2.0) *
                                 (std::cos(turn * 2.0) + decay / turn * std::sin(turn * 2.0));
  return std::abs(run.state().q[0] - truth);
}

}  // namespace

// Errors fall by 2^p with the step: 1 for symplectic Euler, 4 for RK4.
TEST_CASE("a ball on a spring and damper moves as the closed form, at the integrator's order") {
  for (const double damping : {0.0, 3.0}) {
    CAPTURE(damping);
    const double coarse = off_at_end("rk4", 0.02, damping, nullptr),
                 fine = off_at_end("rk4", 0.01, damping, nullptr);
    CHECK(fine < 1e-6);
    CHECK(std::log2(coarse / fine) == doctest::Approx(4.0).epsilon(0.1));
    const double euler = off_at_end("symplectic-euler", 1e-3, damping, nullptr),
                 finer = off_at_end("symplectic-euler", 5e-4, damping, nullptr);
    CHECK(std::log2(euler / finer) == doctest::Approx(1.0).epsilon(0.1));
  }
}

// ½ 50 0.1² J are in the spring; the speed at the end is that of the closed form to 1e-9.
TEST_CASE("what a damper takes is damping_loss, and the energy of the spring is potential") {
  const Folder folder;
  const Scenario scenario = load(folder, ball_on_spring("rk4", 1e-3, 3.0));
  EnergyReport first, last;
  Observer observer;
  observer.record = [&](const State& state, const Kinematics&, const EnergyReport& energy) {
    if (state.t == 0.0) first = energy;
    last = energy;
  };
  Simulation run(scenario, observer);
  run.run();
  CHECK(first.total == doctest::Approx(0.25).epsilon(1e-12));
  CHECK(std::abs(last.residual) < 1e-10);
  CHECK(run.state().ledger.damping_loss == doctest::Approx(first.total - last.total));
  CHECK(run.state().ledger.damping_loss > 0.2);
}

// Reduced mass 2 · 3/5 = 1.2 kg, 30 N/m: 5 rad/s; momentum 2 · 0.3 kg m/s.
TEST_CASE("two bodies on one spring turn about their centre with the reduced mass") {
  const Folder folder;
  const Scenario scenario = load(
      folder,
      "duration: 2\ngravity: [0, 0, 0]\nintegrator: {method: rk4, step: 0.002}\ncontact: {model: "
      "frictionless}\nbodies:\n  a: {mass: 2, shape: {sphere: {radius: 0.1}}, velocity: "
      "[0.3, 0, 0]}\n  b: {mass: 3, shape: {sphere: {radius: 0.1}}, position: [1, 0, 0]}\n"
      "springs:\n  - {between: [a, b], stiffness: 30}\n");
  REQUIRE(scenario.model.springs.front().rest == doctest::Approx(1.0));
  Simulation run(scenario);
  run.run();
  const VectorXd &q = run.state().q, &v = run.state().v;
  CHECK(std::abs(2.0 * v[3] + 3.0 * v[9] - 0.6) < 1e-12);
  CHECK(std::abs(q[7] - q[0] - (1.0 - 0.06 * std::sin(10.0))) < 1e-8);
}

// 20 N/m · x beyond μ m g = 4.905 N: at x − 1 = 0.245 m; at 0.24 it holds.
TEST_CASE("a box held by friction against a spring slips where the spring pulls harder") {
  for (const double far : {1.24, 1.25}) {
    const Folder folder;
    const Scenario scenario = load(
        folder, fmt::format("duration: 0.2\ncontact: {{model: coulomb}}\nbodies:\n  ground: "
                            "{{fixed: true, shape: {{plane: {{}}}}}}\n  box: {{mass: 1, shape: "
                            "{{box: {{size: [0.2, 0.2, 0.2]}}}}, position: [{}, 0, 0.1]}}\n"
                            "surfaces:\n  - {{between: [\"*\", \"*\"], friction: 0.5}}\n"
                            "springs:\n  - {{between: [world, box], points: [[0, 0, 0.1], [0, "
                            "0, 0]], stiffness: 20, rest: 1}}\n",
                            far));
    Simulation run(scenario);
    run.run();
    CAPTURE(far);
    if (far < 1.245) CHECK(run.state().q[0] == far);
    if (far > 1.245) CHECK(run.state().q[0] < far - 1e-4);
  }
}

namespace {

// What ends the run, and how long it was.
std::pair<std::string, double> end_of(const Scenario& scenario) {
  Simulation run(scenario);
  try {
    run.run();
  } catch (const DivergenceError& error) {
    return {error.what(), run.state().t};
  }
  return {"", run.state().t};
}

}  // namespace

// Two links that whirl at 100 and 300 rad/s, 3 rad a step: the energy grows by 1e5 and more with
// each, and came down again by chance in chains with friction, whose runs ended well.
TEST_CASE("a chain that whirls too fast for the step ends the run before it blows up") {
  const Folder folder;
  const auto [why, t] = end_of(load(folder, R"(duration: 0.5
integrator: {method: symplectic-euler, step: 0.01}
contact: {model: frictionless}
robots:
  r:
    base: {fixed: true}
    joints: {ja: {position: 0.3, velocity: 100}, jb: {position: 1, velocity: -300}}
    links:
      base: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}
      a:
        mass: 1
        com: [0, 0, -0.5]
        inertia: {ixx: 0.01, iyy: 0.01, izz: 0.01}
        joint: {name: ja, parent: base, type: revolute, position: [0, 0, 0], axis: [0, 1, 0]}
      b:
        mass: 1
        com: [0, 0, -0.5]
        inertia: {ixx: 0.01, iyy: 0.01, izz: 0.01}
        joint: {name: jb, parent: a, type: revolute, position: [0, 0, -1], axis: [0, 1, 0]}
)"));
  CHECK(why.find("kinetic energy grew from") != std::string::npos);
  CHECK(why.find("shorten integrator.step") != std::string::npos);
  CHECK(t < 0.05);
}

TEST_CASE("a damper that is too stiff for the step ends the run, with its cause") {
  const Folder folder;
  const auto [why, t] = end_of(load(folder, ball_on_spring("symplectic-euler", 0.01, 1000.0)));
  CHECK(why.find("most of it at springs") != std::string::npos);
  CHECK(why.find("decays at 500 1/s") != std::string::npos);
}

}  // namespace pequod::test
