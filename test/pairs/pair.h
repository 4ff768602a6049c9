// Every pair that `pequod list` offers, on every robot at hand, in motions that a user would try.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "core/types.h"

namespace pequod::test {

/// A robot with four legs of three joints, and the posture and gains that suit it.
struct PairRobot {
  std::string name;
  std::string urdf;  ///< path
  std::array<std::string, 4>
      legs;  ///< how the names of a leg's joints begin: fore, fore, hind, hind
  std::array<std::string, 3> joints;  ///< and end, from the trunk down
  std::array<Vector3d, 4> posture;    ///< rad, of each leg
  std::string trot;                   ///< YAML of the controller that walks it
  bool walks_from_posture = false;    ///< else from the controller's own
  double kp = 0.0;                    ///< N·m/rad, of `pd`; kd is a fortieth of it
  double height = 0.0;                ///< m, of its base over the ground when it stands, roughly
  double viscous = 0.0;               ///< N·s/m
};

/// How a state is advanced and contact is resolved.
struct PairLaw {
  std::string integrator, model, level, scheme;
  bool implicit_viscous = false;
  double tolerance = 0.0;  ///< of an adaptive dopri5
};

enum class PairMotion { trot, stand, upside_down, thrown };
enum class PairGround { flat, rough };

struct Pair {
  PairRobot robot;
  PairMotion motion = PairMotion::trot;
  PairGround ground = PairGround::flat;
  PairLaw law;
};

/// mara/trot/flat/rk4/viscous/acceleration/event-driven
[[nodiscard]] std::string name_of(const Pair& pair);

/// The two example robots.
[[nodiscard]] std::vector<PairRobot> example_robots();
/// Three public ones.
/// @param shared  the folder that has them, see shared_folder()
[[nodiscard]] std::vector<PairRobot> public_robots(const std::filesystem::path& shared);
/// Every integrator × model × level × scheme of the registries.
[[nodiscard]] std::vector<PairLaw> pair_laws();
/// All pairs of these robots.
[[nodiscard]] std::vector<Pair> all_pairs(const std::vector<PairRobot>& robots);
/// Each law once, over other robots, motions and grounds.
[[nodiscard]] std::vector<Pair> sample_of_pairs(const std::vector<PairRobot>& robots);

/// The scene of a pair: 1.5 s at steps of 1 ms.
[[nodiscard]] std::string scene_of(const Pair& pair);

}  // namespace pequod::test
