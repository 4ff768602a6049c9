// Distances of convex bodies by alternating projections: slow, sure, and independent of features.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "core/shape.h"

namespace pequod::test {

using TriangleCorners = std::array<Vector3d, 3>;

/// The point of a body nearest to p, body frame.
inline Vector3d nearest_in(const Cylinder& c, const Vector3d& p) {
  const double rho = std::hypot(p.x(), p.y()), factor = rho > c.radius ? c.radius / rho : 1.0;
  return {factor * p.x(), factor * p.y(), std::clamp(p.z(), -0.5 * c.length, 0.5 * c.length)};
}
inline Vector3d nearest_in(const Box& b, const Vector3d& p) {
  return p.cwiseMax(-0.5 * b.size).cwiseMin(0.5 * b.size);
}
inline Vector3d nearest_in(const Sphere& s, const Vector3d& p) {
  return p.norm() > s.radius ? Vector3d(s.radius * p.normalized()) : p;
}
inline Vector3d nearest_in(const Capsule& c, const Vector3d& p) {
  const Vector3d axis(0, 0, std::clamp(p.z(), -0.5 * c.length, 0.5 * c.length));
  return axis + nearest_in(Sphere{c.radius}, p - axis);
}
/// In the half plane of the axis and p a cone is a triangle.
inline Vector3d nearest_in(const Cone& c, const Vector3d& p) {
  const double rho = std::hypot(p.x(), p.y());
  const Eigen::Vector2d x(rho, p.z()), tip(0, 0.5 * c.length), rim(c.radius, -0.5 * c.length);
  const Eigen::Vector2d side = rim - tip, out(-side.y(), side.x());
  Eigen::Vector2d best = x;
  if (out.dot(x - tip) > 0.0 || x.y() < rim.y()) {
    const Eigen::Vector2d on_side =
        tip + std::clamp(side.dot(x - tip) / side.squaredNorm(), 0.0, 1.0) * side;
    const Eigen::Vector2d on_base(std::min(rho, c.radius), rim.y());
    best = (x - on_side).norm() < (x - on_base).norm() ? on_side : on_base;
  }
  const double factor = rho > 0.0 ? best.x() / rho : 0.0;
  return {factor * p.x(), factor * p.y(), best.y()};
}
inline Vector3d nearest_in(const TriangleCorners& t, const Vector3d& p) {
  const Vector3d n = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
  const Vector3d foot = p - n * n.dot(p - t[0]);
  Vector3d best = foot;
  double least = kInfinity;
  bool inside = true;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3d edge = t[(k + 1) % 3] - t[k];
    inside = inside && n.cross(edge).dot(foot - t[k]) >= 0.0;
    const Vector3d q = t[k] + std::clamp(edge.dot(p - t[k]) / edge.squaredNorm(), 0.0, 1.0) * edge;
    if ((q - p).norm() >= least) continue;
    least = (q - p).norm();
    best = q;
  }
  return inside ? foot : best;
}

/// Largest n·x over a body.
inline double reach_along(const Cylinder& c, const Vector3d& n) {
  return c.radius * std::hypot(n.x(), n.y()) + 0.5 * c.length * std::abs(n.z());
}
inline double reach_along(const Box& b, const Vector3d& n) {
  return 0.5 * n.cwiseAbs().dot(b.size);
}
inline double reach_along(const Sphere& s, const Vector3d& n) { return s.radius * n.norm(); }
inline double reach_along(const Capsule& c, const Vector3d& n) {
  return c.radius * n.norm() + 0.5 * c.length * std::abs(n.z());
}
inline double reach_along(const Cone& c, const Vector3d& n) {
  return std::max(0.5 * c.length * n.z(),
                  c.radius * std::hypot(n.x(), n.y()) - 0.5 * c.length * n.z());
}
inline double reach_along(const TriangleCorners& t, const Vector3d& n) {
  return std::max({n.dot(t[0]), n.dot(t[1]), n.dot(t[2])});
}

/// The distance lies between these: |x_B − x_A| of the last points, and what separates the bodies
/// along that line.
struct Bracket {
  double lower, upper;
};
template <typename ShapeA, typename ShapeB>
Bracket alternating_projections(const ShapeA& A, const Pose& X_WA, const ShapeB& B,
                                const Pose& X_WB, int iterations) {
  Vector3d x = X_WB.p, y;
  for (int k = 0; k < iterations; ++k) {
    const Vector3d before = x;
    y = X_WA * nearest_in(A, X_WA.inverse() * x);
    x = X_WB * nearest_in(B, X_WB.inverse() * y);
    if (k > 0 && x == before) break;
  }
  const Vector3d n = (x - y).normalized();
  return {n.dot(X_WB.p - X_WA.p) - reach_along(B, -(X_WB.R.transpose() * n)) -
              reach_along(A, X_WA.R.transpose() * n),
          (x - y).norm()};
}

}  // namespace pequod::test
