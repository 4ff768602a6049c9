// Loops as a scene describes them, and every way they can be wrong.
#include <doctest/doctest.h>

#include <vector>

#include "core/loop.h"
#include "test/scene/fixture.h"

using namespace pequod;
using namespace pequod::test;

namespace {

// Two rods of 1 m hang on their hinges side by side, 1 m apart.
const std::string kRods = R"(robots:
  r:
    base: {fixed: true, position: [0, 0, 2]}
    links:
      top: {}
      left: {mass: 1, shape: {box: {size: [0.1, 0.1, 2]}}, joint: {parent: top, axis: [0, 1, 0]}}
      right: {mass: 1, shape: {box: {size: [0.1, 0.1, 2]}}, joint: {parent: top, axis: [0, 1, 0], position: [1, 0, 0]}}
    self_collision: true
  free:
    base: {position: [5, 0, 2]}
    links: {ball: {mass: 1, shape: {sphere: {radius: 0.1}}}}
)";

std::string loop(const std::string& keys) { return kRods + "loops:\n  - {" + keys + "}\n"; }

std::string error(const std::string& keys) {
  const std::string text = report(loop(keys));
  const std::string prefix = "s.yaml:";
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

}  // namespace

TEST_CASE("a loop without second point and axis closes where it is") {
  for (const char* type : {"spherical", "revolute", "prismatic", "fixed"}) {
    CAPTURE(type);
    const Folder folder;
    const std::string axes = std::string(type) == "revolute" || std::string(type) == "prismatic"
                                 ? ", axes: [[1, 2, 3]]"
                                 : "";
    const Scenario scenario =
        load(folder, loop("between: [r/left, free], type: " + std::string(type) +
                          ", points: [[0.1, 0.2, -1]]" + axes));
    REQUIRE(scenario.model.loops.size() == 1);
    std::vector<Pose> X_WL;
    compute_poses(scenario.model, scenario.initial.q, X_WL);
    CHECK(loop_gap(scenario.model.loops[0], X_WL).norm() < 1e-14);
  }
}

TEST_CASE("a loop is closed at the start, and a given velocity stays") {
  const Folder folder;
  const std::string rods =
      loop("between: [r/left, world], type: spherical, points: [[0, 0, -1], [0, 0.0, 1.0004]]");
  CHECK(report(folder, rods).find("cannot all be closed: 0.0004") != std::string::npos);

  const std::string bar = R"(robots:
  r:
    base: {fixed: true, position: [0, 0, 2]}
    links:
      top: {}
      left: {mass: 1, shape: {box: {size: [0.1, 0.1, 2]}}, joint: {parent: top, axis: [0, 1, 0]}}
      bar: {mass: 1, shape: {box: {size: [0.1, 0.1, 2]}}, joint: {parent: left, axis: [0, 1, 0], position: [0, 0, -1]}}
      right: {mass: 1, shape: {box: {size: [0.1, 0.1, 2]}}, joint: {parent: top, axis: [0, 1, 0], position: [1, 0, 0]}}
    joints: {left: {position: 0.1, velocity: 2}, bar: -0.1, right: 0.1004}
loops:
  - {between: [r/bar, r/right], points: [[1, 0, 0], [0, 0, -1]], axes: [[0, 1, 0], [0, 1, 0]]}
)";
  const Scenario scenario = load(folder, bar);
  CHECK(report(folder, bar, Severity::note) ==
        "s.yaml:11:3: note: loops: closing them changed the start's positions by up to 0.00032 m "
        "or rad\n");
  // A parallelogram: both rods turn alike, and the bar not at all.
  const VectorXd &q = scenario.initial.q, &v = scenario.initial.v;
  CHECK(std::abs(q[0] - q[2]) < 1e-13);
  CHECK(std::abs(q[0] + q[1]) < 1e-13);
  CHECK(v[0] == doctest::Approx(2.0).epsilon(1e-14));
  CHECK((v - Vector3d(2.0, -2.0, 2.0)).norm() < 1e-13);
}

TEST_CASE("links that a loop joins do not collide, unless a rule says so") {
  const Folder folder;
  const std::string pin = "between: [free, r/left], type: spherical, points: [[0, 0, 0]]";
  const auto collide = [&](const std::string& text) {
    const Scenario scenario = load(folder, text);
    const Model& model = scenario.model;
    return std::pair{model.may_collide(2, 0), model.may_collide(2, 1)};  // ball, left and right rod
  };
  CHECK(collide(kRods) == std::pair{true, true});
  CHECK(collide(loop(pin)) == std::pair{false, true});
  CHECK(collide(loop(pin) + "collide: [[free, r/left, true]]\n") == std::pair{true, true});
}

TEST_CASE("loops: what is wrong, where, and how to mend it") {
  CHECK(error("between: [r/left, r/rigth], type: spherical, points: [[0, 0, 0]]") ==
        "13:24: error: loops[0].between: \"r/rigth\" matches nothing; did you mean "
        "\"r/right\"?\n");
  CHECK(error("between: [r/*, free], type: spherical, points: [[0, 0, 0]]") ==
        "13:16: error: loops[0].between: must name one body or link, without globs\n");
  CHECK(error("between: [r/left, r/left], type: spherical, points: [[0, 0, 0]]") ==
        "13:15: error: loops[0].between: both ends are on one link (fixed joints are merged)\n");
  CHECK(error("between: [r/top, world], type: fixed") ==
        "13:15: error: loops[0].between: both ends are fixed to the world\n");
  CHECK(error("between: [r/left, free]") ==
        "13:5: error: loops[0]: needs points: where the joint "
        "is\n");
  CHECK(error("between: [r/left, free], points: [[0, 0, 0]]") ==
        "13:5: error: loops[0]: needs axes: what it turns about or slides along\n");
  CHECK(error("between: [r/left, free], points: [[0, 0, 0]], axes: [[0, 0, 0]]") ==
        "13:59: error: loops[0].axes: is zero\n");
  CHECK(error("between: [r/left, free], type: fixed, axes: [[0, 0, 1]]") ==
        "13:50: error: loops[0].axes: a fixed loop has no axis\n");
  CHECK(
      error("between: [r/left, free], type: prismatic, points: [[0, 0, 0]], axes: [[0, 0, 1], [0, "
            "0, 1]]") ==
      "13:75: error: loops[0].axes: a prismatic loop has one axis, that of the first\n");
  CHECK(error("between: [r/left, free], type: slider, points: [[0, 0, 0]]")
            .starts_with("13:37: error: loops[0].type: "));
  CHECK(error("between: [r/left, free], points: [[0, 0, 0], [0, 0, 0], [0, 0, 0]], axes: [[0, 0, "
              "1]]")
            .starts_with("13:39: error: loops[0].points: "));
  CHECK(error("between: [r/left, free], type: spherical, points: [[0, 0, -1], [0, 0, 0]]") ==
        "13:5: error: loops[0]: is open by 5.099 m and 0 rad at the start; move the joints until "
        "it closes to 0.001, or leave out the second point and axis: then it closes where the "
        "first is\n");
  CHECK(error("between: [r/left, free], points: [[0, 0, 0], [-5, 0, 0]], axes: [[0, 0, 1], [0, 1, "
              "1]]") ==
        "13:5: error: loops[0]: is open by 0 m and 0.7854 rad at the start; move the joints until "
        "it closes to 0.001, or leave out the second point and axis: then it closes where the "
        "first is\n");
}
