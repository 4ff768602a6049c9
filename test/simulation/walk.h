// A trot from the scene a user would type to the figures of its acceptance list.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "simulation/controllers/trot.h"
#include "simulation/simulation.h"
#include "test/scene/fixture.h"

namespace pequod::test {

/// What the scene asks of a robot; the rest is left to defaults.
struct TrotRun {
  fs::path urdf;
  Vector3d command{0.3, 0.0, 0.0};    ///< vx, vy, yaw rate in U, U, ω0
  double duration = 20.0;             ///< s
  double hold = 0.001, step = 0.001;  ///< s, control period and integration step
  double rough = 0.0;                 ///< m, heights are random within ±rough; 0: a plane
  unsigned seed = 1;                  ///< of the heights
  Vector3d push = Vector3d::Zero();   ///< of m U, impulse on the base from 4 s on over 0.5/ω0
  bool start_right = false;           ///< the other diagonal pair swings first
};

/// Everything that the acceptance list asks about.
struct Walk {
  TrotReport scales;
  Vector3d start, end;                       ///< m, centre of mass
  Eigen::Vector2d commanded{0.0, 0.0};       ///< m, ∫ of the velocity, with standing and ramp
  double yaw = 0.0, yaw_commanded = 0.0;     ///< rad
  double tilt = 0.0;                         ///< rad, largest
  double lowest = kInfinity, highest = 0.0;  ///< of z0, centre of mass after the start-up
  double effort = 0.0;                       ///< of m g z0, largest of any joint
  bool fell = false;                         ///< base on the ground, or half as high as it was
  std::string failure;                       ///< what the simulation threw, if it did
  double t = 0.0;                            ///< s, when it ended
  RunStatistics statistics;
  double overlap = kNaN, slip = kNaN;  ///< m, m/s, by a referee at every accepted state
  int forces = 0;                      ///< that it looked at

  /// Along the commanded way, of its length.
  [[nodiscard]] double distance() const {
    return (end - start).head<2>().dot(commanded) / commanded.squaredNorm();
  }
  /// Across it, of its length.
  [[nodiscard]] double drift() const {
    const Vector3d d = end - start;
    return (commanded.x() * d.y() - commanded.y() * d.x()) / commanded.squaredNorm();
  }
};

/// The scene file of a run, at most 15 lines; writes the height field beside it.
[[nodiscard]] std::string trot_scene(const Folder& folder, const TrotRun& run,
                                     const TrotReport& scales);

/// Loads the scene of a run and walks it; a fall ends it.
[[nodiscard]] Walk walk(const TrotRun& run);

/// One line of all figures, for MESSAGE.
[[nodiscard]] std::string figures(const Walk& walk);

/// What rigid contact promises anywhere: a run to its end, no penetration, no slip.
void check_contacts(const Walk& walk);
/// Flat ground: distance, drift, height, tilt, and every contact problem solved.
void check_flat(const Walk& walk);
/// Rough ground: no fall, tilt, distance, contact problems solved with at most one fallback step.
void check_rough(const Walk& walk);

}  // namespace pequod::test
