// Scenes without ticks whose motions are smooth between events, for observed orders.
#pragma once

#include <array>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "test/app/process.h"

namespace pequod::test {

/// A scene and three steps of each integrator that are short enough for its power to show and long
/// enough for the error to stand above rounding.
struct OrderScene {
  std::string name, text;
  std::array<const char*, 3> steps;  ///< s; of symplectic-euler, rk4 and dopri5
};

/// @param edits  what of the file's text becomes what
inline std::string edited(const fs::path& file,
                          std::initializer_list<std::pair<const char*, const char*>> edits) {
  std::string text = read_file(file);
  for (const auto& edit : edits) {
    const std::size_t at = text.find(edit.first);
    REQUIRE_MESSAGE(at != std::string::npos, file << " has no " << edit.first);
    text.replace(at, std::string(edit.first).size(), edit.second);
  }
  return text;
}

inline constexpr const char* kDoublePendulum = R"(
duration: 4
record: {every: 0.4}
contact: {model: frictionless}
robots:
  arm:
    links:
      mount: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}
      upper:
        mass: 1.3
        com: [0, 0, -0.3]
        inertia: {ixx: 0.03, iyy: 0.03, izz: 0.002}
        joint: {name: shoulder, parent: mount, axis: [0, 1, 0]}
      lower:
        mass: 0.7
        com: [0, 0, -0.25]
        inertia: {ixx: 0.02, iyy: 0.02, izz: 0.001}
        joint: {name: elbow, parent: upper, axis: [0, 1, 0], position: [0, 0, -0.6]}
    base: {fixed: true, position: [0, 0, 1.5]}
    joints: {shoulder: {position: 1.4}, elbow: {position: 0.3, velocity: 1}}
)";

inline constexpr const char* kTumblingBrick = R"(
duration: 2
record: {every: 0.2}
contact: {model: frictionless}
bodies:
  brick: {mass: 1, shape: {box: {size: [0.3, 0.2, 0.1]}}, velocity: [1, 0, 4], angular_velocity: [12, 20, 8]}
)";

inline constexpr const char* kDrivenHull = R"(
duration: 4
record: {every: 0.4}
contact: {model: frictionless}
bodies:
  hull: {mass: 2, shape: {box: {size: [0.5, 0.3, 0.2]}}, angular_velocity: [0.5, 1, 0]}
forces: [{on: hull, force: [3, -2, 15], torque: [0.05, 0.08, -0.04]}]
)";

inline constexpr const char* kTopWithFlap = R"(
duration: 1.4
record: {every: 0.14}
contact: {model: frictionless}
robots:
  top:
    links:
      post: {}
      body:
        mass: 1
        com: [0, 0, 0.3]
        inertia: {ixx: 0.02, iyy: 0.03, izz: 0.01}
        joint: {name: ball, parent: post, type: spherical, damping: 0.02}
      flap:
        mass: 0.4
        com: [0.2, 0, 0]
        inertia: {ixx: 0.001, iyy: 0.004, izz: 0.004}
        joint: {name: hinge, parent: body, axis: [0, 1, 0], position: [0.1, 0, 0.4]}
    base: {fixed: true}
    joints: {hinge: {position: 0.4, velocity: 5}}
)";

inline constexpr const char* kPoleOnCart = R"(
duration: 4
record: {every: 0.4}
contact: {model: frictionless}
robots:
  cart:
    links:
      rail: {}
      cart:
        mass: 1
        inertia: {ixx: 0.01, iyy: 0.01, izz: 0.01}
        joint: {name: slide, parent: rail, type: prismatic, axis: [1, 0, 0], damping: 0.5, limits: [-5, 5]}
      pole:
        mass: 0.5
        com: [0, 0, -0.4]
        inertia: {ixx: 0.02, iyy: 0.02, izz: 0.001}
        joint: {name: swing, parent: cart, type: continuous, axis: [0, 1, 0], damping: 0.05}
    base: {fixed: true}
    joints: {swing: {position: 2.0}}
)";

inline constexpr const char* kFilmAndSpin = R"(
duration: 0.5
record: {every: 0.1}
contact: {model: viscous}
bodies:
  ground: {fixed: true, shape: {plane: {}}}
  block: {mass: 1, shape: {box: {size: [0.3, 0.2, 0.1]}}, position: [0, 0, 0.05], velocity: [1, 0.3, 0], angular_velocity: [0, 0, 2]}
surfaces: [{between: ['*', '*'], viscous: 2.0}]
)";

inline constexpr const char* kLadder = R"(
duration: 0.4
record: {every: 0.04}
contact: {model: frictionless}
bodies:
  ground: {fixed: true, shape: {plane: {}}}
  wall: {fixed: true, shape: {plane: {normal: [1, 0, 0], offset: 0}}}
  ladder: {mass: 1, shape: {capsule: {radius: 0.02, length: 1}}, position: [0.2669, 0, 0.46], orientation: {rpy: [0, -0.5, 0]}}
)";

inline constexpr const char* kTumblingBox = R"(
duration: 0.8
record: {every: 0.08}
contact: {model: viscous}
bodies:
  ground: {fixed: true, shape: {plane: {}}}
  box:
    mass: 1
    shape: {box: {size: [0.3, 0.2, 0.1]}}
    position: [0, 0, 0.6]
    velocity: [1, 0.4, 0]
    angular_velocity: [3, 6, 2]
surfaces: [{between: ['*', '*'], restitution: 0.7, viscous: 3.0}]
)";

inline constexpr const char* kSpinningBall = R"(
duration: 1.3
record: {every: 0.13}
contact: {model: viscous}
bodies:
  ground: {fixed: true, shape: {plane: {}}}
  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, inertia: {ixx: 0.003, iyy: 0.004, izz: 0.0045}, position: [0, 0, 0.4], velocity: [1, 0, 0], angular_velocity: [8, -14, 12]}
surfaces: [{between: ['*', '*'], viscous: 1.5, restitution: 0.8}]
)";

inline constexpr const char* kLopsidedBall = R"(
duration: 1.2
record: {every: 0.12}
contact: {model: coulomb, level: acceleration}
bodies:
  ground: {fixed: true, shape: {plane: {}}}
  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, inertia: {ixx: 0.003, iyy: 0.004, izz: 0.0045}, position: [0, 0, 0.1], velocity: [2, 0.5, 0], angular_velocity: [-6, -15, 14]}
surfaces: [{between: ['*', '*'], friction: 0.2}]
)";

inline constexpr const char* kRollingBall = R"(
duration: 3
record: {every: 0.3}
contact: {model: no-slip, level: acceleration}
bodies:
  ground: {fixed: true, shape: {plane: {}}}
  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, inertia: {ixx: 0.003, iyy: 0.004, izz: 0.0045}, position: [0, 0, 0.1], velocity: [2, 0.5, 0], angular_velocity: [5, -3, 8]}
surfaces: [{between: ['*', '*'], friction: 0.2}]
)";

inline constexpr const char* kCoin = R"(
duration: 1.5
record: {every: 0.15}
contact: {model: no-slip, level: acceleration}
bodies:
  ground: {fixed: true, shape: {plane: {}}}
  coin: {mass: 1, shape: {cylinder: {radius: 0.2, length: 0.04}}, position: [0, 0, 0.2005], orientation: {rpy: [1.4, 0, 0]}, velocity: [1, 0, 0], angular_velocity: [1, 5, 3]}
)";

inline constexpr const char* kHopper = R"(
duration: 0.6
record: {every: 0.06}
contact: {model: viscous}
robots:
  hopper:
    links:
      trunk:
        mass: 2
        inertia: {ixx: 0.02, iyy: 0.03, izz: 0.03}
      leg:
        mass: 0.5
        com: [0, 0, -0.15]
        inertia: {ixx: 0.004, iyy: 0.004, izz: 0.0005}
        shape: {sphere: {radius: 0.03}}
        joint: {name: hip, parent: trunk, type: continuous, axis: [0, 1, 0], damping: 0.3, position: [0.1, 0, 0]}
    base: {position: [0, 0, 0.35]}
    joints: {hip: 0.3}
bodies:
  ground: {fixed: true, shape: {plane: {}}}
surfaces: [{between: ['*', '*'], viscous: 2, restitution: 0.3}]
)";

inline constexpr const char* kDraggedBlock = R"(
duration: 3
record: {every: 0.3}
contact: {model: coulomb, level: acceleration}
bodies:
  ground: {fixed: true, shape: {plane: {}}}
robots:
  swing:
    links:
      block: {mass: 1, shape: {box: {size: [0.6, 0.6, 0.1]}}}
      bob:
        mass: 1
        com: [0, 0, -0.5]
        inertia: {ixx: 0.01, iyy: 0.01, izz: 0.01}
        joint: {name: hinge, parent: block, type: continuous, axis: [0, 1, 0], position: [0, 0, 0.8]}
    base: {position: [0, 0, 0.05]}
    joints: {hinge: {position: 0.9}}
surfaces: [{between: ['*', '*'], friction: 0.2}]
)";

/// Without contact.
inline std::vector<OrderScene> smooth_scenes() {
  return {
      {"double pendulum",
       kDoublePendulum,
       {"0.002,0.001,0.0005", "0.01,0.005,0.0025", "0.01,0.005,0.0025"}},
      {"tumbling brick",
       kTumblingBrick,
       {"0.002,0.001,0.0005", "0.001,0.0005,0.00025", "0.0025,0.00125,0.000625"}},
      {"driven hull", kDrivenHull, {"0.004,0.002,0.001", "0.01,0.005,0.0025", "0.01,0.005,0.0025"}},
      {"top with a flap",
       kTopWithFlap,
       {"0.0002,0.0001,0.00005", "0.002,0.001,0.0005", "0.005,0.0025,0.00125"}},
      {"pole on a cart",
       kPoleOnCart,
       {"0.004,0.002,0.001", "0.004,0.002,0.001", "0.01,0.005,0.0025"}},
      {"four-bar linkage",
       edited("examples/loops/four_bar.yaml",
              {{"duration: 10", "duration: 0.6\nrecord: {every: 0.06}"},
               {"velocity: 3", "velocity: 2.5"}}),
       {"0.002,0.001,0.0005", "0.002,0.001,0.0005", "0.008,0.004,0.002"}},
      {"slider-crank",
       edited("examples/loops/slider_crank.yaml",
              {{"duration: 10", "duration: 1"}, {"every: 0.01", "every: 0.1"}}),
       {"0.002,0.001,0.0005", "0.004,0.002,0.001", "0.005,0.0025,0.00125"}},
  };
}

/// With contact or limits, at the acceleration level.
inline std::vector<OrderScene> contact_scenes() {
  return {
      {"impacts at joint limits",
       read_file("examples/analytic/double_pendulum.yaml"),
       {"0.01,0.005,0.0025", "0.01,0.005,0.0025", "0.005,0.0025,0.00125"}},
      {"block in a film",
       kFilmAndSpin,
       {"0.004,0.002,0.001", "0.01,0.005,0.0025", "0.01,0.005,0.0025"}},
      {"ladder on a wall", kLadder, {"0.002,0.001,0.0005", "0.01,0.005,0.0025", "0.04,0.02,0.01"}},
      {"tumbling box",
       kTumblingBox,
       {"0.0001,0.00005,0.000025", "0.004,0.002,0.001", "0.005,0.0025,0.00125"}},
      {"bouncing ball with spin",
       kSpinningBall,
       {"0.002,0.001,0.0005", "0.002,0.001,0.0005", "0.01,0.005,0.0025"}},
      {"ball that slides, then rolls",
       kLopsidedBall,
       {"0.002,0.001,0.0005", "0.01,0.005,0.0025", "0.01,0.005,0.0025"}},
      {"block dragged back and forth",
       kDraggedBlock,
       {"0.002,0.001,0.0005", "0.01,0.005,0.0025", "0.02,0.01,0.005"}},
      {"ball that rolls",
       kRollingBall,
       {"0.004,0.002,0.001", "0.01,0.005,0.0025", "0.01,0.005,0.0025"}},
      {"coin on its rim",
       kCoin,
       {"0.002,0.001,0.0005", "0.005,0.0025,0.00125", "0.004,0.002,0.001"}},
      {"hopper that falls",
       kHopper,
       {"0.002,0.001,0.0005", "0.01,0.005,0.0025", "0.005,0.0025,0.00125"}},
      {"rimless wheel",
       edited("examples/analytic/rimless_wheel.yaml",
              {{"duration: 25", "duration: 5\nrecord: {every: 0.5}"},
               {"model: coulomb", "model: coulomb, level: acceleration"}}),
       {"0.001,0.0005,0.00025", "0.01,0.005,0.0025", "0.02,0.01,0.005"}},
  };
}

}  // namespace pequod::test
