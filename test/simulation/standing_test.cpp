// Whether gains hold a posture: closed forms of one link, and runs.
#include "simulation/standing.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <string>

#include "scene/scene.h"
#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod {
namespace {

constexpr double kArmMass = 3.0, kArmLength = 0.4;  // kg, m from the joint to its centre
constexpr double kWeightTorque = kArmMass * 9.81 * kArmLength;  // N·m

// An arm that hangs from a joint about y at angle 0, held at another; `effort` limits it.
std::string hung_arm(double angle, double kp, double duration = 1.0, double effort = 1e9) {
  return fmt::format(
      "duration: {}\nrecord: {{every: 1000}}\nintegrator: {{method: rk4, step: 0.002}}\n"
      "robots:\n  r:\n    base: {{fixed: true, position: [0, 0, 5]}}\n    links:\n"
      "      mount: {{}}\n      arm: {{mass: {}, com: [0, 0, {}], "
      "inertia: {{ixx: 0.01, iyy: 0.01, izz: 0.01}}, joint: {{parent: mount, type: revolute, "
      "axis: [0, 1, 0], limits: [-9, 9], effort: {}}}}}\n"
      "    joints: {{arm: {:.17g}}}\n"
      "    controller: {{type: pd, kp: {:.17g}, kd: {:.17g}, period: 0.002}}\n",
      duration, kArmMass, -kArmLength, effort, angle, kp, 0.1 * kp);
}

Standing standing_of(const std::string& text) {
  const test::Folder folder;
  const Scenario scenario = test::load(folder, text);
  const std::optional<Standing> told = standing(scenario, scenario.controllers.front());
  REQUIRE(told.has_value());
  return *told;
}

double end_angle(const std::string& text) {
  const test::Folder folder;
  const Scenario scenario = test::load(folder, text);
  Simulation simulation(scenario);
  simulation.run();
  return simulation.state().q[0];
}

}  // namespace

TEST_CASE("one link sags by its weight over kp and gravity's own stiffness") {
  for (const double angle : {0.3, 1.2, -0.7, 2.5}) {
    for (const double kp : {60.0, 600.0}) {
      const Standing told = standing_of(hung_arm(angle, kp));
      const double sag = -kWeightTorque * std::sin(angle) / (kp + kWeightTorque * std::cos(angle));
      CHECK(told.worst.way == doctest::Approx(sag).epsilon(1e-8));
      CHECK(told.worst.effort == doctest::Approx(kp * std::abs(sag)).epsilon(1e-8));
      CHECK(told.needed == doctest::Approx(-kWeightTorque * std::cos(angle) / kp).epsilon(1e-8));
    }
  }
}

// The next term of the sine is x²/2 of the weight.
TEST_CASE("one link comes to rest where statics has it") {
  const double angle = 1.0, kp = 2000.0;
  const double sag = standing_of(hung_arm(angle, kp)).worst.way;
  const double rest = end_angle(hung_arm(angle, kp, 5.0));
  CHECK(rest - angle == doctest::Approx(sag).epsilon(2.0 * std::abs(sag)));
}

TEST_CASE("a link on its head stands from kp = m g l on, and is warned of below") {
  const double up = std::numbers::pi - 0.001;
  CHECK(std::abs(end_angle(hung_arm(up, 1.1 * kWeightTorque, 5.0)) - up) < 0.02);
  CHECK(std::abs(end_angle(hung_arm(up, 0.9 * kWeightTorque, 20.0)) - up) > 0.3);
  CHECK(test::report(hung_arm(up, 1.1 * kWeightTorque), Severity::warning).empty());
  CHECK(test::report(hung_arm(up, 0.9 * kWeightTorque), Severity::warning) ==
        "s.yaml:11:17: warning: robots.r.controller: gains are too weak to stand: the robot falls "
        "over unless kp is above about 11.8 (kp of r/arm is 10.5948)\n");
}

TEST_CASE("a sag that is seen is a warning, and so is an effort that is not there") {
  const double level = 0.5 * std::numbers::pi;
  CHECK(test::report(hung_arm(level, 200.0), Severity::warning).empty());
  CHECK(test::report(hung_arm(level, 40.0), Severity::warning) ==
        "s.yaml:11:17: warning: robots.r.controller: gains are too weak to keep the posture: r/arm "
        "sags by 0.294 rad under 11.8 N·m, with kp 40; kp 59 keeps it to 0.2\n");
  CHECK(test::report(hung_arm(level, 200.0, 1.0, 5.0), Severity::warning) ==
        "s.yaml:11:17: warning: robots.r.controller: r/arm needs 2.35 times the effort that it has "
        "to keep the posture\n");
}

// Statics is of the first order: of 0.18 rad it leaves 0.6 %.
TEST_CASE("a robot that stands by its gains sags as its run does") {
  Diagnostics diagnostics;
  Scenario scenario = load_scene("examples/simbenchmark/stand_1.yaml", {}, diagnostics);
  scenario.duration = 5.0;
  const std::optional<Standing> told = standing(scenario, scenario.controllers.front());
  REQUIRE(told.has_value());
  Simulation simulation(scenario);
  simulation.run();
  const Joint& joint = nth(scenario.model.links, told->worst.link).joint;
  const double way = simulation.state().q[joint.q_index] - scenario.initial.q[joint.q_index];
  CHECK(told->worst.way == doctest::Approx(way).epsilon(0.02));
}

// Statics at the start says 38; from the posture that it sags to, a run stands from some 35 on.
TEST_CASE("a robot whose gains are too weak to stand is warned of, and falls") {
  const test::Folder folder;
  std::ifstream file("examples/simbenchmark/stand_1.yaml");
  std::string text(std::istreambuf_iterator<char>(file), {});
  text.replace(text.find("urdf: beth.urdf"), 15,
               "urdf: " + std::filesystem::absolute("examples/simbenchmark/beth.urdf").string());
  text.replace(text.find("kp: 40"), 6, "kp: 30");
  CHECK(
      test::report(folder, text, Severity::warning)
          .find("gains are too weak to stand: the robot falls over unless kp is above about 38") !=
      std::string::npos);
  Scenario scenario = test::load(folder, text);
  scenario.duration = 20.0;
  Simulation simulation(scenario);
  simulation.run();
  CHECK(simulation.state().q[2] < 0.5 * scenario.initial.q[2]);
}

TEST_CASE("nothing is said of a robot that touches nothing or of joints that no gain holds") {
  const test::Folder folder;
  Diagnostics diagnostics;
  Scenario scenario = load_scene("examples/simbenchmark/stand_1.yaml", {}, diagnostics);
  scenario.initial.q[2] += 0.5;
  CHECK_FALSE(standing(scenario, scenario.controllers.front()).has_value());
  Scenario loose = test::load(folder, hung_arm(1.0, 100.0));
  loose.controllers.front().gains.front().kp = 0.0;
  CHECK_FALSE(standing(loose, loose.controllers.front()).has_value());
}

}  // namespace pequod
