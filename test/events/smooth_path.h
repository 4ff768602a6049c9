// Seeded random poses and smooth motions for the tests of this room.
#pragma once

#include <random>

#include "core/motion.h"

namespace pequod {

struct Random {
  std::mt19937_64 generator;
  explicit Random(std::uint64_t seed) : generator(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator);
  }
  Vector3d vector(double size) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  Vector3d unit() {
    for (;;) {
      const Vector3d x = vector(1.0);
      if (x.norm() > 0.1 && x.norm() < 1.0) return x.normalized();
    }
  }
  Matrix3d rotation() {
    std::normal_distribution<double> normal;
    Quaterniond q(normal(generator), normal(generator), normal(generator), normal(generator));
    return q.normalized().toRotationMatrix();
  }
  Pose pose(double size) { return {rotation(), vector(size)}; }
  BodyMotion motion(const Pose& X_WL) {
    return {X_WL, vector(2.0), vector(1.0), vector(3.0), vector(2.0)};
  }
};

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
