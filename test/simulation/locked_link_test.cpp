// Links that a loop locks, and that are hit.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod::test {
namespace {

struct Case {
  std::string joint, friction, base, weld, model, body, gravity;
};

std::string head(const Case& c) {
  return fmt::format(
      "duration: 0.1\ngravity: [0, 0, {}]\nintegrator: {{method: rk4, step: 0.001}}\n"
      "contact: {{model: {}, restitution: poisson}}\n"
      "surfaces: [{{between: ['*', '*'], friction: 0.3, restitution: 0.5}}]\n"
      "bodies:\n"
      "  ball: {{mass: 0.5, shape: {}, position: [0.53, 0.1, 2.35], "
      "velocity: [0.4, -0.7, -2], angular_velocity: [1.5, 0, 0]}}\n",
      c.gravity, c.model, c.body);
}

// An arm whose first link, a box, is welded, and whose second hangs on that by a joint with
// friction.
std::string locked_arm(const Case& c) {
  const std::string inertia = "inertia: {ixx: 0.02, iyy: 0.02, izz: 0.02}";
  return fmt::format(
      "robots:\n  arm:\n    base: {{fixed: {0}, position: [0, 0, 2]}}\n    links:\n"
      "      base: {{mass: 2, {1}}}\n"
      "      one: {{mass: 1, {1}, joint: {{parent: base, {2}, position: [0.5, 0, 0], "
      "friction: {3}}}, shapes: [{{shape: {{box: {{size: [0.4, 0.4, 0.4]}}}}}}]}}\n"
      "      two: {{mass: 0.5, {1}, com: [0.2, 0, 0.1], joint: {{parent: one, {2}, "
      "position: [0.4, 0, 0], friction: 0.5}}}}\n"
      "loops: [{{between: [{4}, arm/one], type: fixed}}]\n",
      c.base, inertia, c.joint, c.friction, c.weld);
}

const char* const kBox =
    "  box: {fixed: true, shape: {box: {size: [0.4, 0.4, 0.4]}}, position: [0.5, 0, 2]}\n";

}  // namespace

// Welded to the world, or to a base that is fixed, a link is a box that stands still: what hits it
// goes as from such a box. Rounding of the locked coordinates had become forces of 1e64 N, contacts
// without load had taken fallback steps, and loops had opened.
TEST_CASE("what hits a locked link goes as from a fixed box") {
  const std::string ball = "{sphere: {radius: 0.1}}", box = "{box: {size: [0.2, 0.2, 0.2]}}";
  for (const std::string joint :
       {"type: continuous, axis: [1, 0, 0]", "type: continuous, axis: [0.6, 0, 0.8]",
        "type: prismatic, axis: [0, 0, 1]", "type: prismatic, axis: [0.6, 0, 0.8]"})
    for (const std::string friction : {"0", "0.5"})
      for (const std::string weld : {"world", "arm"})
        for (const std::string model : {"coulomb", "baraff"})
          for (const std::string& body : {ball, box})
            for (const std::string gravity : {"0", "-9.81"}) {
              const Case c{joint, friction, weld == "arm" ? "true" : "false", weld, model,
                           body,  gravity};
              CAPTURE(locked_arm(c));
              CAPTURE(head(c));
              // A base that is not fixed hangs on the weld by a joint of its own: held as well.
              const Scenario on_arm = load(Folder(), head(c) + locked_arm(c));
              const Scenario on_box = load(Folder(), head(c) + kBox);
              Simulation arm(on_arm), fixed(on_box);
              arm.run();
              fixed.run();
              CHECK(arm.statistics().fallbacks == 0);
              CHECK((arm.state().q.head<7>() - fixed.state().q.head<7>()).norm() < 1e-10);
              CHECK((arm.state().v.head<6>() - fixed.state().v.head<6>()).norm() < 1e-9);
            }
}

// Of a robot that flies, momentum tells that the weld is none but between its own links.
TEST_CASE("a hit on a locked link of a robot that flies keeps momentum") {
  for (const std::string joint :
       {"type: continuous, axis: [1, 0, 0]", "type: continuous, axis: [0, 0, 1]",
        "type: prismatic, axis: [0, 1, 0]"}) {
    CAPTURE(joint);
    const Case c{joint, "0.5", "false", "arm", "coulomb", "{sphere: {radius: 0.1}}", "0"};
    const Scenario scenario = load(Folder(), head(c) + locked_arm(c));
    const Vector3d before = 0.5 * Vector3d(0.4, -0.7, -2.0);
    Simulation run(scenario);
    run.run();
    CHECK(run.statistics().fallbacks == 0);
    const Model& model = scenario.model;
    const Kinematics& kin = run.kinematics();
    Vector3d momentum = Vector3d::Zero();
    for (std::size_t i = 0; i < model.links.size(); ++i)
      momentum += model.links[i].inertia.mass *
                  point_velocity(model, kin, static_cast<int>(i),
                                 kin.links[i].X_WL * model.links[i].inertia.com);
    CHECK((momentum - before).norm() < 1e-12);
  }
}

}  // namespace pequod::test
