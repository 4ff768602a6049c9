#include "scene/mass_properties.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <numbers>
#include <stdexcept>
#include <variant>

namespace pequod {
namespace {

using std::numbers::pi;

Inertia principal(double mass, const Vector3d& moments) {
  return {mass, Vector3d::Zero(), moments.asDiagonal()};
}

Inertia of(const Sphere& s) {
  const double m = 4.0 / 3.0 * pi * s.radius * s.radius * s.radius;
  return principal(m, Vector3d::Constant(0.4 * m * s.radius * s.radius));
}

Inertia of(const Box& b) {
  const double m = b.size.prod();
  const Vector3d a = b.size.cwiseAbs2() / 12.0;
  return principal(m, m * Vector3d(a.y() + a.z(), a.x() + a.z(), a.x() + a.y()));
}

Inertia of(const Cylinder& c) {
  const double r2 = c.radius * c.radius, m = pi * r2 * c.length;
  const double across = m * (3.0 * r2 + c.length * c.length) / 12.0;
  return principal(m, {across, across, 0.5 * m * r2});
}

Inertia of(const Capsule& c) {
  const double r = c.radius, l = c.length;
  const Inertia middle = of(Cylinder{r, l});
  // Both half balls: I about the ball's centre is 2/5 m r², its centre of mass 3/8 r outside l/2.
  const double m = 4.0 / 3.0 * pi * r * r * r;
  const double across = m * (0.4 * r * r + 0.25 * l * l + 0.375 * r * l);
  return principal(middle.mass + m,
                   middle.about_com.diagonal() + Vector3d(across, across, 0.4 * m * r * r));
}

Inertia of(const Cone& c) {
  const double r2 = c.radius * c.radius, l = c.length, m = pi * r2 * l / 3.0;
  const double across = m * (0.15 * r2 + 3.0 / 80.0 * l * l);
  Inertia cone = principal(m, {across, across, 0.3 * m * r2});
  cone.com = {0.0, 0.0, -0.25 * l};  // a quarter of the length above the base at −l/2
  return cone;
}

/// Sum over tetrahedra from a point inside to each triangle: ∫ dV, ∫ x dV, ∫ x xᵀ dV.
Inertia of_triangles(const std::vector<Vector3d>& vertices,
                     const std::vector<std::array<int, 3>>& triangles) {
  Vector3d inside = Vector3d::Zero();
  for (const Vector3d& v : vertices) inside += v / static_cast<double>(vertices.size());
  double volume = 0.0;
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();
  for (const auto& t : triangles) {
    const Vector3d a = nth(vertices, t[0]) - inside;
    const Vector3d b = nth(vertices, t[1]) - inside;
    const Vector3d c = nth(vertices, t[2]) - inside;
    const double v = a.dot(b.cross(c)) / 6.0;
    const Vector3d sum = a + b + c;
    volume += v;
    first += v / 4.0 * sum;
    second += v / 20.0 *
              (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
  if (!(volume > 0.0)) {
    throw std::invalid_argument("the mesh encloses no volume: open, flat or inside out");
  }
  const Vector3d com = first / volume;
  const Matrix3d C = second - volume * com * com.transpose();
  return {volume, inside + com, C.trace() * Matrix3d::Identity() - C};
}

Inertia of(const Mesh& mesh) {
  if (!mesh.closed) throw std::invalid_argument("the mesh encloses no volume: it is open");
  return of_triangles(mesh.vertices, mesh.triangles);
}

Inertia of(const Convex& hull) {
  std::vector<std::array<int, 3>> triangles;
  for (const Convex::Face& face : hull.faces) {
    for (std::size_t k = 1; k + 1 < face.vertices.size(); ++k) {
      triangles.push_back({face.vertices[0], face.vertices[k], face.vertices[k + 1]});
    }
  }
  return of_triangles(hull.vertices, triangles);
}

Inertia of(const Plane&) { throw std::invalid_argument("a plane has no mass"); }
Inertia of(const HeightField&) { throw std::invalid_argument("a height field has no mass"); }

}  // namespace

Inertia solid(const Geometry& geometry) {
  return std::visit([](const auto& shape) { return of(shape); }, geometry);
}

Inertia solid(const std::vector<CollisionShape>& shapes, double mass) {
  Inertia sum;
  for (const CollisionShape& shape : shapes) sum = combine(sum, solid(shape.geometry), shape.X_LS);
  sum.about_com *= mass / sum.mass;
  sum.mass = mass;
  return sum;
}

std::string why_not_physical(const Matrix3d& about_com) {
  Vector3d moments = Eigen::SelfAdjointEigenSolver<Matrix3d>(about_com).eigenvalues();
  const double largest = moments.cwiseAbs().maxCoeff();
  for (double& moment : moments) {
    if (std::abs(moment) < 1e-14 * largest) moment = 0.0;  // rounding of the eigenvalues
  }
  constexpr double kRounding = 1e-3;
  const double slack = kRounding * largest;
  const std::string principal = fmt::format("principal moments {:.3g}, {:.3g}, {:.3g} kg m²",
                                            moments(0), moments(1), moments(2));
  if (moments(0) < -slack) return principal + ": none may be negative";
  if (moments(2) > moments(0) + moments(1) + slack) {
    return principal + ": none may exceed the sum of the others";
  }
  return "";
}

}  // namespace pequod
