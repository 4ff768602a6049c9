// Robots of scenes that are wrong, and the one error that each ends in.
#pragma once

#include "test/app/wrong_input.h"

namespace pequod::test {

inline const WrongInputs& wrong_robots() {
  static const WrongInputs inputs{
      {"neither urdf nor links",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {base: {fixed: true}}}\n"}},
       "s.yaml:1:13: error: robots.r: needs exactly one of: urdf, links"},
      {"urdf and links",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf, links: {a: {mass: 1}}}}\n"}},
       "s.yaml:1:13: error: robots.r: needs exactly one of: urdf, links"},
      {"urdf that is not there",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: dog.urdf}}\n"}},
       "s.yaml:1:20: error: no such file: \"dog.urdf\"; tried dog.urdf"},
      {"urdf that is a folder",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: .}}\n"}},
       "s.yaml:1:20: error: is a directory, not a file: ."},
      {"unknown collision",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf, collision: box}}\n"}},
       "s.yaml:1:39: error: robots.r.collision: unknown collision \"box\"; one of: hull, mesh, "
       "none"},
      {"unknown parent",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      hand: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: bas}}\n"}},
       "s.yaml:6:74: error: robots.arm.links.hand.joint.parent: unknown link \"bas\"; did you mean "
       "\"base\"?"},
      {"axis of zero",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      hand: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base, axis: [0, 0, 0]}}\n"}},
       "s.yaml:6:86: error: robots.arm.links.hand.joint.axis: must not be zero"},
      {"limits the wrong way round",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      hand: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base, limits: [1, -1]}}\n"}},
       "s.yaml:6:88: error: robots.arm.links.hand.joint.limits: the lower limit is above the upper "
       "one"},
      {"one limit",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      hand: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base, limits: [1]}}\n"}},
       "s.yaml:6:88: error: robots.arm.links.hand.joint.limits: must have 2 items, not 1"},
      {"unknown joint type",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      hand: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base, type: hinge}}\n"}},
       "s.yaml:6:86: error: robots.arm.links.hand.joint.type: unknown type \"hinge\""},
      {"joint without parent",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      hand: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {type: revolute}}\n"}},
       "s.yaml:6:58: error: robots.arm.links.hand.joint: needs the key \"parent\""},
      {"negative damping",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      hand: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base, damping: -1}}\n"}},
       "s.yaml:6:89: error: robots.arm.links.hand.joint.damping: must be >= 0, not -1"},
      {"start beyond a limit",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      hand: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base, limits: [-1, 1]}}\n    joints: {hand: 2}\n"}},
       "s.yaml:7:20: error: robots.arm.joints: start 2 of joint \"hand\" is outside its limits "
       "[-1, 1]"},
      {"start of no joint",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      hand: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base}}\n    joints: {wrist: 2}\n"}},
       "s.yaml:7:14: error: robots.arm.joints: no moving joint matches \"wrist\"; the joints are: "
       "hand"},
      {"fixed base that moves",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true, velocity: [1, 0, 0]}\n    links:\n      base: "
         "{mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}\n      hand: {mass: 1, inertia: {ixx: 1, "
         "iyy: 1, izz: 1}, joint: {parent: base}}\n"}},
       "s.yaml:3:11: error: robots.arm.base: a fixed base has no velocity"},
      {"friction of a ball joint",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      hand: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base, type: spherical, friction: 1}}\n"}},
       "s.yaml:2:3: error: robots.arm: joint \"hand\" is spherical: Coulomb friction is for "
       "revolute, continuous and prismatic joints; use damping, or three revolute joints"},
      {"unknown controller",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      hand: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base}}\n    controller: {type: pid}\n"}},
       "s.yaml:7:24: error: robots.arm.controller.type: unknown controller type \"pid\"; did you "
       "mean \"pd\"?"},
      {"controller without type",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      hand: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base}}\n    controller: {kp: 1}\n"}},
       "s.yaml:7:5: error: robots.arm.controller: needs the key \"type\"; one of: trot, "
       "links-trot, pd, torque"},
      {"trot of an arm",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      hand: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base}}\n    controller: {type: trot}\n"}},
       "s.yaml:7:17: error: robots.arm.controller: arm has a fixed base: a trot needs a floating "
       "one"},
      {"links-trot of an arm",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      hand: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base}}\n    controller: {type: links-trot}\n"}},
       "s.yaml:7:17: error: robots.arm.controller: arm has a fixed base: a trot needs a floating "
       "one"},
      {"target of no joint",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      hand: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base}}\n    controller: {type: pd, target: {wrist: 1}}\n"}},
       "s.yaml:7:37: error: robots.arm.controller.target: no moving joint matches \"wrist\""},
      {"gain of a trot",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      hand: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base}}\n    controller: {type: pd, gait: {duty: 1}}\n"}},
       "s.yaml:7:28: error: robots.arm.controller: unknown key \"gait\"; \"gait\" belongs in "
       "robots.controller.trot"},
      {"period of zero",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      hand: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base}}\n    controller: {type: pd, period: 0}\n"}},
       "s.yaml:7:36: error: robots.arm.controller.period: must be > 0, not 0"},
      {"negative gain",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      hand: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base}}\n    controller: {type: pd, kp: -1}\n"}},
       "s.yaml:7:32: error: robots.arm.controller.kp: must be >= 0, not -1"},
      {"two bases",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  r:\n    links:\n      a: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}\n      "
         "b: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}\n"}},
       "s.yaml:2:3: error: robots.r: two links have no parent: a and b"},
      {"ring of links",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  r:\n    links:\n      a: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, joint: "
         "{parent: b}}\n      b: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, joint: {parent: "
         "a}}\n"}},
       "s.yaml:2:3: error: robots.r: the joints form a loop: every link has a parent"},
  };
  return inputs;
}

}  // namespace pequod::test
