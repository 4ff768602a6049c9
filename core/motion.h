// Motion of one body, as the contact geometry needs it.
#pragma once

#include "core/types.h"

namespace pequod {

/// Pose, velocity and acceleration of a body frame L, all expressed in world axes.
struct BodyMotion {
  Pose X_WL;
  Vector3d w = Vector3d::Zero();      ///< rad/s, ω_WL
  Vector3d v = Vector3d::Zero();      ///< m/s, of the frame origin
  Vector3d alpha = Vector3d::Zero();  ///< rad/s², ω̇
  Vector3d a = Vector3d::Zero();      ///< m/s², of the frame origin
};

/// Velocity of the body's material point that is now at p_W.
[[nodiscard]] inline Vector3d velocity_at(const BodyMotion& B, const Vector3d& p_W) {
  return B.v + B.w.cross(p_W - B.X_WL.p);
}

/// Acceleration of the body's material point that is now at p_W.
[[nodiscard]] inline Vector3d acceleration_at(const BodyMotion& B, const Vector3d& p_W) {
  const Vector3d r = p_W - B.X_WL.p;
  return B.a + B.alpha.cross(r) + B.w.cross(B.w.cross(r));
}

}  // namespace pequod
