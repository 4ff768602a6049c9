// What is asked about in scenes, and what is forgiven.
#include <doctest/doctest.h>

#include <cmath>
#include <utility>

#include "test/scene/fixture.h"

using namespace pequod;
using namespace pequod::test;

TEST_CASE("what starts inside another by rounding is moved apart, with a note") {
  const auto with = [](const std::string& heights) {
    const Folder folder;
    Diagnostics diagnostics;
    const Scenario scenario = load_scene(folder.write("s.yaml", heights), {}, diagnostics);
    return std::pair{scenario.initial.q, folder.relative(diagnostics.text())};
  };
  const auto boxes = [](const std::string& lower, const std::string& upper) {
    return "bodies:\n"
           "  ground: {fixed: true, shape: {plane: {}}}\n"
           "  a: {mass: 100, shape: {box: {size: [1, 1, 1]}}, position: [0, 0, " +
           lower + "]}\n  b: {mass: 100, shape: {box: {size: [1, 1, 1]}}, position: [0, 0, " +
           upper + "]}\n";
  };
  const auto [q, notes] = with(boxes("0.4999989", "1.499990"));
  CHECK(notes ==
        "s.yaml:3:6: note: \"a\" starts 1.1e-06 m inside \"ground\": moved apart\n"
        "s.yaml:4:6: note: \"b\" starts 8.9e-06 m inside \"a\": moved apart\n");
  CHECK(std::abs(q[2] - 0.5) < 1e-9);
  CHECK(std::abs(q[9] - 1.5) < 1e-9);
  CHECK(q[9] - q[2] >= 1.0 - 1e-9);
  CHECK(with(boxes("0.499989", "1.5")).second.find("error: \"a\" starts 1.1e-05 m inside") !=
        std::string::npos);
  const std::string ball =
      "bodies:\n  wall: {fixed: true, shape: {plane: {normal: [1, 0, 0]}}}\n"
      "  ball: {mass: 100, shape: {sphere: {radius: 0.5}}, position: [0.499995, 0, 0]}\n";
  CHECK(std::abs(with(ball).first[0] - 0.5) < 1e-9);
  // What cannot move stays an error: here one wall pushes into the other.
  const std::string squeezed = report(
      "bodies:\n  left: {fixed: true, shape: {plane: {normal: [1, 0, 0]}}}\n"
      "  right: {fixed: true, shape: {plane: {normal: [-1, 0, 0], offset: -0.999998}}}\n"
      "  ball: {mass: 100, shape: {sphere: {radius: 0.5}}, position: [0.499999, 0, 0]}\n");
  CHECK(squeezed.find("error: \"ball\" starts 1e-06 m inside \"left\"; move one of them") !=
        std::string::npos);
}

TEST_CASE("angles of more than a turn are asked about, shape beside shapes is refused") {
  const auto warns = [](const std::string& text) { return report(text, Severity::warning); };
  CHECK(warns("bodies:\n  b: {mass: 9, shape: {sphere: {radius: .1}},\n"
              "      orientation: {rpy: [0, 45, 0]}}\n") ==
        "s.yaml:3:26: warning: bodies.b.orientation.rpy: 45 rad is more than a turn; degrees? 45 "
        "degrees are 0.785398 rad\n");
  const auto arm = [&](const std::string& limits, const std::string& more = "") {
    return warns(
        "robots:\n  arm:\n    base: {fixed: true}\n    links:\n"
        "      base: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}\n"
        "      hand: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1},\n"
        "             joint: {parent: base, limits: " +
        limits + "}}\n" + more);
  };
  CHECK(arm("[-10, 10]") == "");
  CHECK(arm("[-90, 90]") ==
        "s.yaml:7:44: warning: robots.arm.links.hand.joint.limits: -90 rad is more than 2 turns; "
        "degrees? -90 degrees are -1.5708 rad\n");
  CHECK(arm("[-1, 1]", "    controller: {type: pd, target: {hand: 2}}\n") ==
        "s.yaml:8:43: warning: robots.arm.controller.target.hand: 2 is outside the joint's limits "
        "[-1, 1]; the controller will press against the limit\n");
  CHECK(arm("[-1, 1]", "    joints: {hand: 45}\n")
            .find("outside its limits [-1, 1]; degrees? 45 degrees are 0.785398 rad\n") !=
        std::string::npos);
  CHECK(report("bodies:\n  b: {mass: 9, shape: {sphere: {radius: .1}},\n"
               "      shapes: [{shape: {sphere: {radius: .1}}}]}\n") ==
        "s.yaml:3:15: error: bodies.b: has both shape and shapes; put all of them into shapes\n");
}

TEST_CASE("joint damping that is too stiff for the step is a warning") {
  const auto warned = [](double step) {
    return report("integrator: {step: " + std::to_string(step) +
                      "}\nrobots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {}\n"
                      "      hand: {mass: 2, inertia: {ixx: 1, iyy: 1, izz: 1}, joint: {parent: "
                      "base, type: prismatic, axis: [1, 0, 0], damping: 500}}\n",
                  Severity::warning);
  };
  CHECK(warned(0.0079).empty());  // h d/m < 2
  CHECK(warned(0.0081) ==
        "s.yaml:1:1: warning: at the start damping is too stiff for the step: it "
        "decays at 250 1/s, symplectic-euler is unstable with steps beyond 0.008 s, and "
        "integrator.step is 0.0081 s; shorten it to 0.004 s, or lower the damping\n");
}

TEST_CASE("a surface rule that can never match is a warning") {
  const std::string bodies =
      "bodies:\n  floor: {fixed: true, shape: {plane: {}}}\n"
      "  wall: {fixed: true, shape: {plane: {normal: [1, 0, 0]}}}\n"
      "  ball: {mass: 100, shape: {sphere: {radius: 0.5}}, position: [1, 0, 1]}\nsurfaces:\n";
  const auto warns = [&](const std::string& rules) {
    return report(bodies + rules, Severity::warning);
  };
  CHECK(warns("  - {between: [ball, floor]}\n  - {between: [\"*\", \"*\"]}\n") == "");
  CHECK(warns("  - {between: [wall, floor]}\n") ==
        "s.yaml:6:5: warning: surfaces[0] never applies: nothing that it names can touch\n");
  CHECK(warns("  - {between: [ball, \"*\"]}\n  - {between: [floor, ball]}\n") ==
        "s.yaml:7:5: warning: surfaces[1] never applies: the first match wins, and surfaces[0] "
        "stands above it; put the rule for fewer pairs first\n");
}

TEST_CASE("a force that does not act in this run is told") {
  const auto told = [](const std::string& force, Severity least) {
    return report(
        "start: 1\nduration: 2\nbodies: {b: {mass: 100, shape: {sphere: {radius: .5}}}}\n"
        "forces: [{on: b, " +
            force + "}]\n",
        least);
  };
  const auto notes = [&](const std::string& force) { return told(force, Severity::note); };
  for (const char* acts : {"force: [1, 0, 0]", "torque: [0, 0, 1]", "from: 2.9, force: [1, 0, 0]",
                           "to: 1.1, force: [1, 0, 0]", "from: 0, to: 9, force: [1, 0, 0]"})
    CHECK(notes(acts).empty());
  // It may be meant, as one value of many.
  CHECK(notes("force: [0, 0, 0]") == "s.yaml:4:10: note: forces[0] is zero\n");
  CHECK(notes("force: [0, 0, 0], torque: [0, 0, 0]") == "s.yaml:4:10: note: forces[0] is zero\n");
  CHECK(notes("from: 3, force: [1, 0, 0]") ==
        "s.yaml:4:10: note: forces[0] does not act in this run: it begins at 3 s, and the run ends "
        "at 3 s; a longer duration reaches it\n");
  CHECK(told("from: 3, force: [1, 0, 0]", Severity::warning).empty());
  CHECK(told("to: 1, force: [1, 0, 0]", Severity::warning) ==
        "s.yaml:4:10: warning: forces[0] never acts: it ends at 1 s, and the run begins at 1 s; "
        "times of forces are compared with t\n");
  CHECK(report("duration: 0\nbodies: {b: {mass: 100, shape: {sphere: {radius: .5}}}}\n"
               "forces: [{on: b, force: [1, 0, 0]}]\n",
               Severity::note)
            .empty());
}

TEST_CASE("efforts that come after the end of the run are told") {
  const Folder folder;
  folder.write("late.csv", "t, hand\n2, 1\n3, 0\n");
  const auto notes = [&](const std::string& duration) {
    return report(folder,
                  "duration: " + duration +
                      "\nrobots:\n  arm:\n    base: {fixed: true}\n    links:\n"
                      "      base: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}\n"
                      "      hand: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1},\n"
                      "             joint: {parent: base}}\n"
                      "    controller: {type: torque, file: late.csv}\n",
                  Severity::note);
  };
  CHECK(notes("2.5").empty());
  CHECK(
      notes("2") ==
      "s.yaml:9:38: note: robots.arm.controller: gives no effort in this run: its table begins at "
      "2 s, and the run ends at 2 s; a longer duration reaches it\n");
}
