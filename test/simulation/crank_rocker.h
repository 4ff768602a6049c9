// A linkage whose rocker stands still twice in a turn of its crank.
#pragma once

#include <fmt/format.h>

#include <string>

namespace pequod::test {

/// The robot `linkage` and its loop, to end a scene: four bars whose crank turns at 6 rad/s.
/// @param x         m, of its frame
/// @param friction  N·m, of the joint of its rocker; the crank's angle comes first in q
inline std::string crank_rocker(double x, double friction) {
  return fmt::format(
      "robots:\n  linkage:\n    base: {{fixed: true, position: [{}, 0, 1]}}\n"
      "    joints: {{crank: {{position: 1.570796, velocity: 6}}, coupler: -1.139968, rocker: "
      "-1.738244}}\n    links:\n      frame: {{}}\n"
      "      crank: {{mass: 0.3, com: [0.15, 0, 0], inertia: {{ixx: 0.0001, iyy: 0.00225, izz: "
      "0.00225}}, joint: {{parent: frame, type: continuous, axis: [0, -1, 0]}}}}\n"
      "      coupler: {{mass: 0.9, com: [0.45, 0, 0], inertia: {{ixx: 0.0001, iyy: 0.06075, izz: "
      "0.06075}}, joint: {{parent: crank, type: continuous, axis: [0, -1, 0], position: [0.3, 0, "
      "0]}}}}\n"
      "      rocker: {{mass: 0.7, com: [0.35, 0, 0], inertia: {{ixx: 0.0001, iyy: 0.028583, izz: "
      "0.028583}}, joint: {{parent: coupler, type: continuous, axis: [0, -1, 0], position: [0.9, "
      "0, 0], friction: {}}}}}\n"
      "loops:\n  - {{between: [linkage/frame, linkage/rocker], type: revolute, points: [[1, 0, "
      "0], [0.7, 0, 0]], axes: [[0, 1, 0], [0, 1, 0]]}}\n",
      x, friction);
}

}  // namespace pequod::test
