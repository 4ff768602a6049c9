#include "events/polytope.h"

#include <algorithm>
#include <cmath>

namespace pequod {
namespace {

// Vertex i of a box has sign bits x = 1, y = 2, z = 4; face 2k is the −, 2k + 1 the + side of axis
// k.
constexpr std::array<std::array<int, 4>, 6> kBoxFaces = {
    {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
constexpr std::array<std::array<int, 2>, 12> kBoxEdges = {{{0, 1},
                                                           {2, 3},
                                                           {4, 5},
                                                           {6, 7},
                                                           {0, 2},
                                                           {1, 3},
                                                           {4, 6},
                                                           {5, 7},
                                                           {0, 4},
                                                           {1, 5},
                                                           {2, 6},
                                                           {3, 7}}};
constexpr std::array<std::array<int, 2>, 12> kBoxEdgeFaces = {{{2, 4},
                                                               {3, 4},
                                                               {2, 5},
                                                               {3, 5},
                                                               {0, 4},
                                                               {1, 4},
                                                               {0, 5},
                                                               {1, 5},
                                                               {0, 2},
                                                               {1, 2},
                                                               {0, 3},
                                                               {1, 3}}};
constexpr std::array<std::array<int, 2>, 3> kTriangleEdges = {{{0, 1}, {1, 2}, {2, 0}}};
constexpr std::array<std::array<int, 3>, 2> kTriangleFaces = {{{0, 1, 2}, {0, 2, 1}}};
constexpr std::array<int, 2> kBothSides = {0, 1};
constexpr std::array<int, 2> kAxis = {0, 1};
constexpr std::array<int, 2> kNoFaces = {-1, -1};

}  // namespace

Polytope::Polytope(const Sphere& sphere) : vertices_(1), rounding_(sphere.radius) {
  own_[0].setZero();
}

Polytope::Polytope(const Capsule& capsule)
    : vertices_(capsule.length > 0.0 ? 2 : 1),  // without a length it is a ball
      edges_(vertices_ - 1),
      rounding_(capsule.radius) {
  own_[0] = {0.0, 0.0, -0.5 * capsule.length};
  own_[1] = {0.0, 0.0, 0.5 * capsule.length};
}

Polytope::Polytope(const Box& box) : vertices_(8), edges_(12), faces_(6), half_(0.5 * box.size) {
  for (std::size_t i = 0; i < 8; ++i) {
    own_[i] = {i & 1 ? half_.x() : -half_.x(), i & 2 ? half_.y() : -half_.y(),
               i & 4 ? half_.z() : -half_.z()};
  }
}

Polytope::Polytope(const Convex& convex)
    : vertices_(static_cast<int>(convex.vertices.size())),
      edges_(static_cast<int>(convex.edges.size())),
      faces_(static_cast<int>(convex.faces.size())),
      hull_(&convex) {}

Polytope::Polytope(const std::array<Vector3d, 3>& corners, const Vector3d& normal)
    : vertices_(3), edges_(3), faces_(2), normal_(normal) {
  std::copy(corners.begin(), corners.end(), own_.begin());
}

const std::array<int, 2>& Polytope::edge(int i) const {
  const auto k = static_cast<std::size_t>(i);
  if (hull_) return hull_->edges[k];
  return is_triangle() ? kTriangleEdges[k] : faces_ ? kBoxEdges[k] : kAxis;
}

const std::array<int, 2>& Polytope::edge_faces(int i) const {
  const auto k = static_cast<std::size_t>(i);
  if (hull_) return hull_->edge_faces[k];
  return is_triangle() ? kBothSides : faces_ ? kBoxEdgeFaces[k] : kNoFaces;
}

Vector3d Polytope::normal(int face) const {
  if (hull_) return nth(hull_->faces, face).normal;
  if (is_triangle()) return face == 0 ? normal_ : Vector3d(-normal_);
  return (face & 1 ? 1.0 : -1.0) * Vector3d::Unit(face / 2);
}

double Polytope::offset(int face) const {
  if (hull_) return nth(hull_->faces, face).offset;
  return is_triangle() ? normal(face).dot(own_[0]) : half_[face / 2];
}

std::span<const int> Polytope::face_vertices(int face) const {
  const auto k = static_cast<std::size_t>(face);
  if (hull_) return hull_->faces[k].vertices;
  if (is_triangle()) return kTriangleFaces[k];
  return kBoxFaces[k];
}

double Polytope::radius() const {
  if (!hull_ && faces_ && !is_triangle()) return half_.norm();
  double square = 0.0;
  for (int i = 0; i < vertices_; ++i) square = std::max(square, vertex(i).squaredNorm());
  return std::sqrt(square) + rounding_;
}

int Polytope::support(const Vector3d& n) const {
  if (!hull_ && faces_ && !is_triangle()) {
    return (n.x() > 0.0 ? 1 : 0) | (n.y() > 0.0 ? 2 : 0) | (n.z() > 0.0 ? 4 : 0);
  }
  int best = 0;
  double most = vertex(0).dot(n);
  for (int i = 1; i < vertices_; ++i) {
    const double along = vertex(i).dot(n);
    if (along > most) {
      most = along;
      best = i;
    }
  }
  return best;
}

}  // namespace pequod
