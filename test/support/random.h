// Seeded random numbers, vectors, poses and motions for the tests of every room.
#pragma once

#include <random>

#include "core/motion.h"

namespace pequod {

/// The same seed gives the same draws. Which standard library is used may matter, but no test
/// relies on particular values.
struct Random {
  std::mt19937_64 generator;
  explicit Random(std::uint64_t seed) : generator(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator);
  }
  VectorXd numbers(Eigen::Index size) {
    VectorXd x(size);
    for (double& value : x) value = uniform(-1.0, 1.0);
    return x;
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

}  // namespace pequod
