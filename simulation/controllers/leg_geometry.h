// The four legs of a quadruped, found by geometry alone.
#pragma once

#include <array>

#include "core/model.h"
#include "core/types.h"

namespace pequod {

/// A chain of three revolute joints from the base to a foot, which is taken as a ball.
struct Leg {
  std::array<int, 3> links{-1, -1, -1};             ///< moved by hip abduction, hip flexion, knee
  std::array<int, 3> q{-1, -1, -1}, v{-1, -1, -1};  ///< coordinates of the joints
  int frame = -1;                                   ///< carries the foot's shape
  Vector3d foot = Vector3d::Zero();                 ///< m, centre of the ball in the last link
  double radius = 0.0;                              ///< m, of the ball
};

/// Foot order everywhere.
enum LegIndex : std::size_t { kLeftFront, kRightFront, kLeftHind, kRightHind };
inline constexpr std::size_t kLegs = 4;

/// The legs in the order LF, RF, LH, RH: front and left are the greater x and y of the anchor of
/// the first joint, base frame, all joints at zero. A leg is a chain of revolute joints from the
/// base to a moving link without children; of more than four chains those of three joints are
/// taken, so that an arm is no leg.
/// @throws std::invalid_argument saying what was found if that gives not four legs of three joints
[[nodiscard]] std::array<Leg, kLegs> find_legs(const Model& model, int entity);

/// The foot and the joints above it at given joint angles, base frame.
struct LegPose {
  std::array<Vector3d, 3> anchor;  ///< m, a point on each axis: the origin of the joint's frame
  std::array<Vector3d, 3> axis;    ///< unit
  Vector3d foot;                   ///< m
  Matrix3d jacobian;               ///< of the foot against the base
};
[[nodiscard]] LegPose leg_pose(const Model& model, const Leg& leg, const Vector3d& angles);

}  // namespace pequod
