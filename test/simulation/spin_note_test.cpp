// What errors say of links that spin too fast for the step.
#include <doctest/doctest.h>

#include <string>

#include "simulation/spin_limit.h"
#include "test/scene/fixture.h"
#include "test/simulation/random_scene.h"

namespace pequod {
namespace {

const char* const kScene = R"(
robots:
  r:
    base: {position: [0, 0, 0], angular_velocity: [8, 3, 5]}
    links:
      a: {mass: 2, inertia: {ixx: 0.02, iyy: 0.03, izz: 0.04}}
      b:
        mass: 0.5
        inertia: {ixx: 0.0005, iyy: 0.001, izz: 0.0015}
        joint: {parent: a, type: spherical, position: [0.2, 0, 0]}
      c:
        mass: 0.3
        inertia: {ixx: 0.0005, iyy: 0.001, izz: 0.0008}
        joint: {parent: b, type: continuous, position: [0.2, 0, 0], axis: [0, 0, 1]}
      d:
        mass: 0.3
        inertia: {ixx: 0.0005, iyy: 0.001, izz: 0.0008}
        joint: {parent: c, type: prismatic, axis: [0, 0, 1], limits: [-1, 1]}
    joints: {c: {velocity: -30}, d: {velocity: 1000}}
)";

}  // namespace

TEST_CASE("what turns by more than a radian in a step is named") {
  const test::Folder folder;
  const Scenario scenario = test::load(test::write_scene({kScene, {}}, folder.path()));
  CHECK(spin_note(scenario.model, scenario.initial, 0.03).empty());
  CHECK(spin_note(scenario.model, scenario.initial, 0.1) ==
        "; 'r/c' turns by 3 rad in a step: shorten integrator.step");
}

}  // namespace pequod
