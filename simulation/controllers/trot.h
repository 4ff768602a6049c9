// One trot for any quadruped with three joints a leg, from its URDF alone.
#pragma once

#include <string>
#include <vector>

#include "simulation/controller.h"

namespace pequod {

/// Gains of the trot, dimensionless: times the scales m, z0, ω0 = √(g/z0) and U = √(g z0) of the
/// robot in its posture.
struct TrotGains {
  double velocity = 1.5, position = 0.3;      ///< of ω0
  double height = 2.5, height_damping = 2.5;  ///< of ω0², ω0
  double tilt = 6.0, tilt_damping = 4.0;
  double yaw = 3.0, yaw_damping = 2.5;
  double swing = 15.0;       ///< of ω0
  double placement = 0.35;   ///< of 1/ω0
  double leg_damping = 0.3;  ///< of ω0 diag(M_leg)
};

/// Numbers of the recipe, dimensionless unless stated.
struct TrotOptions {
  double period = 0.001;             ///< s, control period
  Vector3d velocity{0.0, 0.0, 0.0};  ///< vx, vy in m/s and yaw rate in rad/s, base frame
  double gait_period = kNaN;         ///< s, NaN: 3/ω0
  double duty = 0.6;
  double step_height = kNaN;  ///< m, NaN: 0.2 z0
  bool start_right = false;   ///< the other diagonal pair swings first
  TrotGains gains;
  double cone = 0.6;  ///< friction the force distribution allows itself
};

/// What the controller found or guessed, for `pequod check`.
struct TrotReport {
  double mass = kNaN, z0 = kNaN, omega0 = kNaN, speed = kNaN;  ///< kg, m, 1/s, m/s
  std::vector<std::string> feet;                               ///< frame names LF, RF, LH, RH
  std::vector<std::string> warnings;  ///< e.g. an effort limit below 0.35 m g z0
};

/// @param stance  configuration (Model::nq) of the posture that the gait keeps
/// @param report  filled if given
/// @throws std::invalid_argument saying what was found if the robot has not four legs of three
/// joints
[[nodiscard]] Controller make_trot(const Model& model, int entity, const VectorXd& stance,
                                   const TrotOptions& options, TrotReport* report = nullptr);

/// Joint positions of a stance from the geometry of the legs: foot under the hip, 0.70 of the leg
/// length, knee behind. @return q with the entity's joints replaced
[[nodiscard]] VectorXd default_stance(const Model& model, int entity, const VectorXd& q);

}  // namespace pequod
