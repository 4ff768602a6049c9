// What a legged controller sees of its robot at one tick.
#pragma once

#include <array>

#include "simulation/controller.h"
#include "simulation/controllers/leg_geometry.h"

namespace pequod {

/// One leg now, world axes.
struct LegView {
  Vector3d foot, velocity;    ///< m, m/s, centre of the foot's ball
  double normal_force = 0.0;  ///< N, along z, of the last step
  Matrix3d jacobian;          ///< of the ball's centre, leg columns
  Matrix3d contact_jacobian;  ///< of the point under it
  Matrix3d mass;              ///< diagonal block of M
  Vector3d bias, qdot;        ///< leg rows of h and v
};

struct RobotView {
  double mass = 0.0;           ///< kg
  Vector3d com, com_velocity;  ///< m, m/s, of the whole robot
  Matrix3d inertia;            ///< kg m², of the whole robot about its centre of mass
  Matrix3d R_WB;               ///< base
  Vector3d w;                  ///< rad/s, of the base
  double yaw = 0.0;            ///< rad, of the base's x axis
  std::array<LegView, kLegs> legs;
};

[[nodiscard]] RobotView view_robot(const ControlInput& input, int entity,
                                   const std::array<Leg, kLegs>& legs);

}  // namespace pequod
