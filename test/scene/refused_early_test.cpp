// What a run would fail at, or silently leave out, is an error of the scene.
#include <doctest/doctest.h>

#include <string>

#include "test/scene/fixture.h"

using namespace pequod;
using namespace pequod::test;

namespace {

const std::string kBall = "{mass: 1, shape: {sphere: {radius: .1}}}";

// An arm whose hand hangs on its base by this joint.
std::string arm(const std::string& joint, const std::string& hand = "hand") {
  return "robots:\n  arm:\n    links:\n      base: " + kBall + "\n      " + hand +
         ": {mass: 1, shape: {sphere: {radius: .1}},\n        joint: {parent: base, " + joint +
         "}}\n";
}

bool says(const std::string& text, const std::string& words) {
  const std::string shown = report(text);
  CAPTURE(shown);
  const bool found = shown.find(words) != std::string::npos;
  CHECK(found);
  return found;
}

}  // namespace

TEST_CASE("keys that do nothing at a joint of its type are errors") {
  CHECK(report(arm("type: continuous, limits: [-1, 1]")) ==
        "s.yaml:6:57: error: robots.arm.links.hand.joint.limits: does nothing at a joint of type "
        "continuous; type revolute has limits\n");
  for (const std::string key : {"limits: [-1, 1]", "axis: [1, 0, 0]", "effort: 3"}) {
    says(arm("type: spherical, " + key), "does nothing at a joint of type spherical; remove it");
    says(arm("type: fixed, " + key), "does nothing at a joint of type fixed; remove it");
  }
  for (const std::string key : {"damping: 1", "armature: 1", "friction: 1"})
    says(arm("type: fixed, " + key), "does nothing at a joint of type fixed");
  CHECK(report(arm("type: spherical, damping: 1")).empty());
  CHECK(report(arm("type: revolute, limits: [-1, 1], effort: 3, axis: [0, 1, 0]")).empty());
}

TEST_CASE("names that would break the logs, or mean the world, are errors") {
  says(arm("type: revolute", "\"left,hand\""), "has a comma, a quote or a line end");
  says(arm("type: revolute, name: \"a\\\"b\""), "has a comma, a quote or a line end");
  CHECK(report("bodies: {world: " + kBall + "}\n") ==
        "s.yaml:1:10: error: bodies: \"world\" is what stands still, for springs and loops; choose "
        "another name\n");
}

TEST_CASE("a link that moves without mass is an error, not the end of a run") {
  // Both together have a mass, so that each joint moves some.
  const auto bare = [](const std::string& mass) {
    return "robots:\n  r:\n    base: {position: [0, 0, 1]}\n    links:\n"
           "      a: {shape: {sphere: {radius: .1}}" +
           mass + "}\n      b: " + kBall.substr(0, kBall.size() - 1) +
           ", joint: {parent: a, axis: [0, 1, 0], position: [0, 0, .5]}}\n";
  };
  says(bare(""), "s.yaml:3:5: error: robots.r: the mass matrix is not positive definite at 'r/");
  CHECK(report(bare(", mass: 1")).empty());
}

TEST_CASE("numbers that overflow, and shapes beyond all digits, are errors") {
  CHECK(
      report("bodies: {b: {mass: 1, shape: {sphere: {radius: .1}}, velocity: [1e300, 0, 0]}}\n") ==
      "s.yaml:1:65: error: bodies.b.velocity[0]: must be at most 1e+20 in size, not 1e300\n");
  says(
      "bodies:\n  b: {mass: 1, shapes: [{shape: {sphere: {radius: .1}}, position: [1e12, 0, "
      "0]}]}\n",
      "\"a shape of b\" is 1e+12 m from the origin");
}

TEST_CASE("a mark of byte order is no part of what a file says") {
  const Folder folder;
  folder.write("flat.txt",
               "\xef\xbb\xbf"
               "2 2\n0 0\n0 0\n");
  CHECK(report(folder,
               "\xef\xbb\xbf"
               "bodies: {g: {fixed: true, shape: {heightfield: {file: "
               "flat.txt, size: [1, 1]}}}}\n")
            .empty());
}

TEST_CASE("a tolerance that solves nothing, and forces that name none, are errors") {
  for (const std::string value : {"1e5", "1", "0.11"})
    CHECK(report("contact: {model: coulomb, tolerance: " + value + "}\nbodies: {b: " + kBall +
                 "}\n") ==
          "s.yaml:1:38: error: contact.tolerance: must be <= 0.1, not " + value + "\n");
  CHECK(report("contact: {model: coulomb, tolerance: 0.1}\nbodies: {b: " + kBall + "}\n").empty());
  CHECK(report("bodies: {b: " + kBall + "}\nforces: [{on: b, from: 1}]\n") ==
        "s.yaml:2:10: error: forces[0]: does nothing; give it a force, N, or a torque, N·m\n");
}
