// Springs as a scene describes them, and the ways they can be wrong.
#include <doctest/doctest.h>

#include "test/scene/fixture.h"

using namespace pequod;
using namespace pequod::test;

namespace {

const std::string kSprungBodies =
    "bodies:\n  floor: {fixed: true, shape: {plane: {}}}\n  a: {mass: 1, shape: {sphere: {radius: "
    "0.1}}, position: [0, 0, 1]}\n  b: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 3, "
    "5]}\n";

std::string spring_report(const std::string& keys) {
  return report(kSprungBodies + "springs:\n  - {" + keys + "}\n");
}

}  // namespace

TEST_CASE("a spring has points in its links, and rests at the start unless it is told otherwise") {
  const Folder folder;
  const Scenario scenario =
      load(folder,
           kSprungBodies +
               "springs:\n  - {between: [a, b], stiffness: 7}\n  - {between: [floor, b], points: "
               "[[1, 2, 3], [0, 0, 0.1]], stiffness: 5, damping: 2, rest: 0.4}\n");
  REQUIRE(scenario.model.springs.size() == 2);
  const Spring &first = scenario.model.springs[0], &second = scenario.model.springs[1];
  CHECK(first.link_a == 0);
  CHECK(first.link_b == 1);
  CHECK(first.rest == 5.0);  // 3, 4, 5
  CHECK(first.damping == 0.0);
  CHECK(second.link_a == -1);
  CHECK(second.p_A == Vector3d(1, 2, 3));
  CHECK(second.p_B == Vector3d(0, 0, 0.1));
  CHECK(second.stiffness == 5.0);
  CHECK(second.damping == 2.0);
  CHECK(second.rest == 0.4);
}

TEST_CASE("springs that cannot be are errors that say where") {
  CHECK(spring_report("between: [a, a], stiffness: 1").find("both ends are on one link") !=
        std::string::npos);
  CHECK(spring_report("between: [floor, world], stiffness: 1")
            .find("both ends are fixed to the world") != std::string::npos);
  CHECK(spring_report("between: [a, b]").find("does nothing") != std::string::npos);
  CHECK(spring_report("between: [a, c], stiffness: 1").find("\"c\"") != std::string::npos);
  CHECK(spring_report("between: [a, b], stiffness: -1").find("stiffness") != std::string::npos);
  CHECK(spring_report("between: [a, b], stiffness: 1, points: [[0, 0, 0]]").find("points") !=
        std::string::npos);
}
