// Distances of bodies with straight features in 80-bit floats, by trying all their features.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>
#include <vector>

#include "core/shape.h"

namespace pequod::test {

using Real = long double;
using Vec = Eigen::Matrix<Real, 3, 1>;

/// Vertices, edges and triangles, rounded by a radius.
struct Complex {
  std::vector<Vec> vertices;
  std::vector<std::array<int, 2>> edges;
  std::vector<std::array<int, 3>> triangles;
  Real rounding = 0;

  const Vec& at(int i) const { return vertices[std::size_t(i)]; }
};

inline void add_triangle(Complex& out, std::array<int, 3> t) {
  out.triangles.push_back(t);
  for (std::size_t k = 0; k < 3; ++k) out.edges.push_back({t[k], t[(k + 1) % 3]});
}

/// @return with rounding NaN for a shape that has curved features
inline Complex complex_of(const Geometry& geometry, const Pose& X) {
  Complex out;
  const auto add = [&](const Vector3d& p) {
    out.vertices.push_back(X.R.cast<Real>() * p.cast<Real>() + X.p.cast<Real>());
  };
  if (const auto* ball = std::get_if<Sphere>(&geometry)) {
    add(Vector3d::Zero());
    out.rounding = ball->radius;
  } else if (const auto* capsule = std::get_if<Capsule>(&geometry)) {
    add({0, 0, -0.5 * capsule->length});
    add({0, 0, 0.5 * capsule->length});
    out.edges.push_back({0, 1});
    out.rounding = capsule->radius;
  } else if (const auto* box = std::get_if<Box>(&geometry)) {
    for (int i = 0; i < 8; ++i) {
      add(0.5 * box->size.cwiseProduct(Vector3d(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
    }
    constexpr int kQuads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                  {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (const auto& q : kQuads) {
      add_triangle(out, {q[0], q[1], q[2]});
      add_triangle(out, {q[0], q[2], q[3]});
    }
  } else if (const auto* hull = std::get_if<Convex>(&geometry)) {
    for (const Vector3d& p : hull->vertices) add(p);
    for (const Convex::Face& f : hull->faces)
      for (std::size_t k = 1; k + 1 < f.vertices.size(); ++k)
        add_triangle(out, {f.vertices[0], f.vertices[k], f.vertices[k + 1]});
  } else if (const auto* mesh = std::get_if<Mesh>(&geometry)) {
    for (const Vector3d& p : mesh->vertices) add(p);
    for (const auto& t : mesh->triangles) add_triangle(out, t);
  } else {
    out.rounding = NAN;
  }
  return out;
}

inline bool foot_is_inside(const Vec& a, const Vec& b, const Vec& c, const Vec& p) {
  const Vec n = (b - a).cross(c - a);
  return n.cross(b - a).dot(p - a) >= 0 && n.cross(c - b).dot(p - b) >= 0 &&
         n.cross(a - c).dot(p - c) >= 0;
}

inline Real segment_distance(const Vec& p, const Vec& u, const Vec& q, const Vec& v) {
  Real nearest = 1e300L;
  const auto try_pair = [&](Real s, Real t) {
    s = std::clamp<Real>(s, 0, 1);
    t = std::clamp<Real>(t, 0, 1);
    nearest = std::min(nearest, (q + t * v - p - s * u).norm());
  };
  for (const Real s : {Real(0), Real(1)}) try_pair(s, (p + s * u - q).dot(v) / v.squaredNorm());
  for (const Real t : {Real(0), Real(1)}) try_pair((q + t * v - p).dot(u) / u.squaredNorm(), t);
  const Vec n = u.cross(v), w = q - p;
  const Real square = n.squaredNorm();
  if (square > 1e-30L * u.squaredNorm() * v.squaredNorm())
    try_pair(w.cross(v).dot(n) / square, w.cross(u).dot(n) / square);
  return nearest;
}

inline bool pierces(const Vec& p, const Vec& q, const Vec& a, const Vec& b, const Vec& c) {
  const Vec n = (b - a).cross(c - a);
  const Real hp = n.dot(p - a), hq = n.dot(q - a);
  return hp * hq < 0 && foot_is_inside(a, b, c, p + (q - p) * (hp / (hp - hq)));
}

inline void over_triangles(const Complex& A, const Complex& B, Real& nearest) {
  for (const auto& t : B.triangles) {
    const Vec &a = B.at(t[0]), &b = B.at(t[1]), &c = B.at(t[2]);
    const Vec n = (b - a).cross(c - a).normalized();
    for (const Vec& p : A.vertices)
      if (foot_is_inside(a, b, c, p)) nearest = std::min(nearest, std::abs(n.dot(p - a)));
    for (const auto& e : A.edges)
      if (pierces(A.at(e[0]), A.at(e[1]), a, b, c)) nearest = 0;
  }
}

/// Distance of the surfaces, m; of cores that cut each other minus the roundings.
inline Real surface_distance(const Complex& A, const Complex& B) {
  Real nearest = 1e300L;
  over_triangles(A, B, nearest);
  over_triangles(B, A, nearest);
  for (const auto& i : A.edges)
    for (const auto& j : B.edges)
      nearest = std::min(nearest, segment_distance(A.at(i[0]), A.at(i[1]) - A.at(i[0]), B.at(j[0]),
                                                   B.at(j[1]) - B.at(j[0])));
  const auto point_edge = [&](const Vec& p, const Complex& C) {
    for (const auto& j : C.edges) {
      const Vec v = C.at(j[1]) - C.at(j[0]);
      const Real t = std::clamp<Real>((p - C.at(j[0])).dot(v) / v.squaredNorm(), 0, 1);
      nearest = std::min(nearest, (C.at(j[0]) + t * v - p).norm());
    }
  };
  if (A.edges.empty()) point_edge(A.at(0), B);
  if (B.edges.empty()) point_edge(B.at(0), A);
  if (A.edges.empty() && B.edges.empty()) nearest = (A.at(0) - B.at(0)).norm();
  return nearest - A.rounding - B.rounding;
}

/// Whether surfaces this far apart are so where a contact has a normal of its own: a vertex over
/// the inside of a triangle, or two edges that pass each other, to within 1e-9 m. A vertex beside a
/// vertex or an edge has none. Complexes without triangles are round and always have one.
inline bool has_proper_nearest(const Complex& A, const Complex& B, Real distance) {
  if (A.triangles.empty() || B.triangles.empty()) return true;
  Real nearest = 1e300L;
  over_triangles(A, B, nearest);
  over_triangles(B, A, nearest);
  for (const auto& i : A.edges)
    for (const auto& j : B.edges) {
      const Vec &p = A.at(i[0]), &q = B.at(j[0]);
      const Vec u = A.at(i[1]) - p, v = B.at(j[1]) - q, n = u.cross(v), w = q - p;
      const Real square = n.squaredNorm();
      if (square <= 1e-30L * u.squaredNorm() * v.squaredNorm()) continue;
      const Real s = w.cross(v).dot(n) / square, t = w.cross(u).dot(n) / square;
      if (s > 0 && s < 1 && t > 0 && t < 1)
        nearest = std::min(nearest, (q + t * v - p - s * u).norm());
    }
  return nearest - A.rounding - B.rounding <= distance + 1e-9L;
}

/// Whether a point is inside a closed surface, by the crossings of a ray of no special direction.
inline bool is_inside(const Complex& closed, const Vec& p) {
  const Vec far = p + 1e3L * Vec(0.31L, 0.53L, 0.79L);
  bool inside = false;
  for (const auto& t : closed.triangles)
    inside ^= pierces(p, far, closed.at(t[0]), closed.at(t[1]), closed.at(t[2]));
  return inside;
}

}  // namespace pequod::test
