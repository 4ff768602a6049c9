// Momentum of bodies that touch in flight, at the velocity level.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod::test {
namespace {

// kg m²/s: roundings of 500 steps, or what RK4 loses of a turn by itself, (ω h)⁵/120 a step.
double lost(const std::string& method) { return method == "rk4" ? 1e-6 : 1e-11; }

// About the origin of the world, from poses and velocities of the links one by one.
Vector3d spin_about_origin(const Model& model, const Kinematics& kin) {
  Vector3d sum = Vector3d::Zero();
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const Inertia& body = model.links[i].inertia;
    const Pose& X_WL = kin.links[i].X_WL;
    const Vector3d com = X_WL * body.com, w = kin.links[i].w;
    const Vector3d v = point_velocity(model, kin, static_cast<int>(i), com);
    sum += body.mass * com.cross(v) + X_WL.R * (body.about_com * (X_WL.R.transpose() * w));
  }
  return sum;
}

struct Flown {
  Vector3d spin_before, spin;  // kg m²/s
  double kinetic_before = 0.0, kinetic = 0.0, residual = 0.0;
};

Flown fly(const std::string& method, double step, const std::string& rest) {
  const Scenario scenario =
      load(Folder(),
           fmt::format("duration: 0.5\ngravity: [0, 0, 0]\nintegrator: {{method: {}, step: {}}}\n"
                       "contact: {{model: coulomb, level: velocity}}\n"
                       "surfaces: [{{between: ['*', '*'], friction: 0}}]\n{}",
                       method, step, rest));
  Simulation run(scenario);
  Flown out;
  out.spin_before = spin_about_origin(scenario.model, run.kinematics());
  out.kinetic_before = kinetic_energy(scenario.model, run.kinematics(), run.state().v);
  run.run();
  out.spin = spin_about_origin(scenario.model, run.kinematics());
  out.kinetic = kinetic_energy(scenario.model, run.kinematics(), run.state().v);
  out.residual = run.statistics().energy_residual_max;
  return out;
}

}  // namespace

// 80 N press them together, of which 20 N keep them on their circle. They went from 1 to 2.7 J.
TEST_CASE("two balls on a spring turn about each other as fast as ever") {
  for (const std::string method : {"symplectic-euler", "rk4"})
    for (const double step : {2e-3, 1e-3}) {
      CAPTURE(method);
      CAPTURE(step);
      const Flown flown =
          fly(method, step,
              "springs: [{between: [a, b], stiffness: 1000, rest: 0}]\nbodies:\n"
              "  a: {mass: 1, shape: {sphere: {radius: 0.05}}, position: [-0.05, 0, 0], "
              "velocity: [0, -1, 0]}\n"
              "  b: {mass: 1, shape: {sphere: {radius: 0.05}}, position: [0.05, 0, 0], "
              "velocity: [0, 1, 0]}\n");
      CHECK((flown.spin - flown.spin_before).norm() < lost(method));
      // Of order two; 5e-5 and 6e-4 J at 2 ms.
      CHECK(std::abs(flown.kinetic - 1.0) < 500.0 * step * step);
      if (method == "symplectic-euler") CHECK(flown.residual < 1e-6);
    }
}

// A spring of 100 N holds a slide at its limit while the robot turns at 20 rad/s: it went to 32.
TEST_CASE("a joint that is pressed on its limit turns no robot") {
  for (const std::string method : {"symplectic-euler", "rk4"}) {
    CAPTURE(method);
    const Flown flown = fly(
        method, 1e-3,
        "springs: [{between: [r/a, r/b], stiffness: 1000, rest: 0}]\nrobots:\n  r:\n    links:\n"
        "      a: {mass: 1, shape: {sphere: {radius: 0.04}}}\n"
        "      b: {mass: 1, shape: {sphere: {radius: 0.04}}, joint: {parent: a, type: prismatic, "
        "axis: [1, 0, 0], position: [0.1, 0, 0], name: j, limits: [0, 1]}}\n"
        "    base: {position: [-0.05, 0, 0], velocity: [0, -1, 0], angular_velocity: [0, 0, "
        "20]}\n");
    if (method == "rk4") CHECK((flown.spin - flown.spin_before).norm() < lost(method));
    CHECK(flown.kinetic == doctest::Approx(flown.kinetic_before).epsilon(1e-3));  // 3e-4, 7e-8
  }
}

// Two such robots side by side, in touch and pulled together: each turns by what forces give it,
// and both by no more. By the last step of a turn alone the ledger was off by 3.2 J; by 0.03 J it
// is for the turn of 0.02 rad in a step.
TEST_CASE("robots that touch in flight keep what each turns by") {
  const auto robot = [](const char* name, double z) {
    return fmt::format(
        "  {}:\n    links:\n"
        "      a: {{mass: 1, shape: {{sphere: {{radius: 0.04}}}}}}\n"
        "      b: {{mass: 1, shape: {{sphere: {{radius: 0.04}}}}, joint: {{parent: a, type: "
        "prismatic, "
        "axis: [1, 0, 0], position: [0.1, 0, 0], name: j, limits: [0, 1]}}}}\n"
        "    base: {{position: [-0.05, 0, {}], velocity: [0, -1, 0], angular_velocity: [0, 0, "
        "20]}}\n",
        name, z);
  };
  const Flown flown = fly("rk4", 1e-3,
                          "springs:\n"
                          "  - {between: [r/a, r/b], stiffness: 1000, rest: 0}\n"
                          "  - {between: [s/a, s/b], stiffness: 1000, rest: 0}\n"
                          "  - {between: [s/a, r/a], stiffness: 3000, rest: 0}\n"
                          "  - {between: [s/b, r/b], stiffness: 3000, rest: 0}\n"
                          "robots:\n" +
                              robot("r", 0.0) + robot("s", 0.08));
  CHECK((flown.spin - flown.spin_before).norm() < lost("rk4"));
  CHECK(flown.kinetic == doctest::Approx(flown.kinetic_before).epsilon(1e-6));
  CHECK(flown.residual < 0.1);
}

// Within a step the axes are parallel: their nearest points run off to metres and back, and half of
// the impulse was felt there. K went from 5e-4 to 0.1 J.
TEST_CASE("a capsule that turns on another gains nothing as their axes cross in parallel") {
  const Scenario scenario = load(
      Folder(),
      "duration: 0.05\nintegrator: {method: symplectic-euler, step: 0.001}\n"
      "contact: {model: coulomb}\n"
      "surfaces: [{between: ['*', '*'], friction: 0.6, restitution: 0}]\nbodies:\n"
      "  low: {fixed: true, shape: {capsule: {radius: 0.05, length: 0.3}}, position: [0, 0, 0.05], "
      "orientation: {quaternion: [0.7071067811865476, 0, 0.7071067811865475, 0]}}\n"
      "  up: {mass: 1, shape: {capsule: {radius: 0.05, length: 0.3}}, position: "
      "[-0.001894080261608106, 0, 0.15], orientation: {quaternion: [0.7071061062156755, "
      "-0.0009770120295836484, 0.7071061062156754, 0.0009770120295836487]}, "
      "angular_velocity: [0, 0, -0.2805667858434951]}\n");
  Simulation run(scenario);
  const double before = total_energy(scenario.model, run.kinematics(), run.state().v);
  run.run();
  CHECK(total_energy(scenario.model, run.kinematics(), run.state().v) < before + 1e-6);
}

}  // namespace pequod::test
