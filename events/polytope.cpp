#include "events/polytope.h"

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

const std::array<int, 2>& Polytope::edge(int i) const {
  const auto k = static_cast<std::size_t>(i);
  return hull_ ? hull_->edges[k] : faces_ ? kBoxEdges[k] : kAxis;
}

const std::array<int, 2>& Polytope::edge_faces(int i) const {
  const auto k = static_cast<std::size_t>(i);
  return hull_ ? hull_->edge_faces[k] : faces_ ? kBoxEdgeFaces[k] : kNoFaces;
}

Vector3d Polytope::normal(int face) const {
  if (hull_) return hull_->faces[static_cast<std::size_t>(face)].normal;
  return (face & 1 ? 1.0 : -1.0) * Vector3d::Unit(face / 2);
}

double Polytope::offset(int face) const {
  return hull_ ? hull_->faces[static_cast<std::size_t>(face)].offset : half_[face / 2];
}

std::span<const int> Polytope::face_vertices(int face) const {
  const auto k = static_cast<std::size_t>(face);
  if (hull_) return hull_->faces[k].vertices;
  return kBoxFaces[k];
}

int Polytope::support(const Vector3d& n) const {
  if (!hull_ && faces_) {
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
