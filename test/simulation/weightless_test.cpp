#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>

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

namespace {

// A trunk of 5 kg with four shoulders of 0.5 kg at hinges along it, m.
std::string shoulders_urdf() {
  const auto body = [](const char* name, const char* at, const char* mass, const char* inertia,
                       const char* shape) {
    return std::string("<link name='") + name + "'><inertial><origin xyz='" + at +
           "'/><mass value='" + mass + "'/><inertia " + inertia +
           " ixy='0' ixz='0' iyz='0'/></inertial><collision><origin xyz='" + at + "'/><geometry>" +
           shape + "</geometry></collision></link>\n";
  };
  std::string text =
      "<robot name='r'>\n" +
      body("trunk", "0 0 0", "5", "ixx='0.02' iyy='0.06' izz='0.07'", "<box size='0.3 0.1 0.1'/>");
  constexpr std::array<std::array<const char*, 4>, 4> kShoulders{
      {{"fl", "0.2 0.06 0", "0 0.08 0", "jfl"},
       {"fr", "0.2 -0.06 0", "0 -0.08 0", "jfr"},
       {"rl", "-0.2 0.06 0", "0 0.08 0", "jrl"},
       {"rr", "-0.2 -0.06 0", "0 -0.08 0", "jrr"}}};
  for (const auto& [name, hinge, at, joint] : kShoulders)
    text +=
        body(name, at, "0.5", "ixx='0.001' iyy='0.001' izz='0.001'", "<sphere radius='0.05'/>") +
        "<joint name='" + joint + "' type='continuous'><parent link='trunk'/><child link='" + name +
        "'/><origin xyz='" + hinge + "'/><axis xyz='1 0 0'/></joint>\n";
  return text + "</robot>\n";
}

// J, the most that one step gives it as it tumbles down a slope.
double largest_gain(const std::string& start) {
  const Folder folder;
  folder.write("r.urdf", shoulders_urdf());
  const Scenario scenario =
      load(folder,
           "duration: 1\nintegrator: {method: symplectic-euler, step: 0.001}\n"
           "contact: {model: no-slip, scheme: time-stepping}\nbodies:\n"
           "  ground: {fixed: true, shape: {plane: {normal: [0.6, 0, 0.8]}}}\n"
           "robots:\n  r: {urdf: r.urdf, self_collision: false, base: {position: [0, 0, 0.8], " +
               start + "}}\n");
  Simulation run(scenario);
  const auto energy = [&] {
    return kinetic_energy(scenario.model, run.kinematics(), run.state().v) +
           potential_energy(scenario.model, run.kinematics());
  };
  double before = energy(), largest = 0.0;
  while (run.step()) {
    const double after = energy();
    largest = std::max(largest, after - before);
    before = after;
  }
  return largest;
}

}  // namespace

// Nothing drives a robot that tumbles down a slope. Two shoulders on one side keep their distance
// along it, whatever their hinges do: friction held both along that line, and one that was apart
// held without pressing, levered against each other with up to 1e8 N: 4, 100, 0.1 and 0.06 J in one
// step, 6e6 J in others. A step's own error is up to 0.03 J of the 40 J that it falls by.
TEST_CASE("shoulders of a robot that lies do not lever against each other") {
  for (const char* start :
       {"orientation: {quaternion: [-0.249, 0.698, 0.03, -0.671]}, velocity: [-0.64, 0.8, 0.44], "
        "angular_velocity: [-0.8, -0.77, 0.18]",
        "orientation: {quaternion: [0.704, -0.019, 0.367, -0.608]}, velocity: [0.28, -0.7, 0.27], "
        "angular_velocity: [2.21, 0.14, 1.45]",
        "orientation: {quaternion: [0.688, -0.538, -0.238, 0.424]}, velocity: [0.17, 0.77, -0.6], "
        "angular_velocity: [-0.65, -2.47, 0.85]",
        "orientation: {quaternion: [0.001, -0.255, -0.932, 0.258]}, velocity: [-0.35, 0.52, "
        "-0.67], angular_velocity: [1.0, -1.38, 0.05]"})
    CHECK(largest_gain(start) < 0.03);
}

}  // namespace pequod::test
