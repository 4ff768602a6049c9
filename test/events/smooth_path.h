// A path with given velocity and acceleration.
#pragma once

#include "core/motion.h"
#include "test/support/random.h"

namespace pequod {

/// The pose after t on a path whose velocity and acceleration at t = 0 are those of `motion`:
/// p + v t + a t²/2 and exp(ω t + α t²/2) R.
inline Pose pose_at(const BodyMotion& motion, double t) {
  const Vector3d turn = motion.w * t + 0.5 * t * t * motion.alpha;
  const double angle = turn.norm();
  Pose X = motion.X_WL;
  X.p += motion.v * t + 0.5 * t * t * motion.a;
  if (angle > 0.0) X.R = Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix() * X.R;
  return X;
}

}  // namespace pequod
