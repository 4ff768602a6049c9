// One view of points, segments, boxes and hulls: vertices, edges and faces, rounded by a radius.
#pragma once

#include <array>
#include <span>

#include "core/shape.h"

namespace pequod {

/// The core of a ball (1 vertex), capsule (2 vertices, 1 edge), box, hull or triangle, in its
/// frame. Holds pointers into a Convex, none into anything else; copies of it are self-contained.
class Polytope {
 public:
  explicit Polytope(const Sphere& sphere);
  explicit Polytope(const Capsule& capsule);
  explicit Polytope(const Box& box);
  explicit Polytope(const Convex& convex);
  /// A triangle with two faces; the first is seen counter-clockwise.
  /// @param normal  unit, of the first face
  Polytope(const std::array<Vector3d, 3>& corners, const Vector3d& normal);

  [[nodiscard]] int vertex_count() const { return vertices_; }
  [[nodiscard]] int edge_count() const { return edges_; }
  [[nodiscard]] int face_count() const { return faces_; }
  [[nodiscard]] double rounding() const { return rounding_; }
  /// m, about the origin of its frame, the rounding included.
  [[nodiscard]] double radius() const;
  /// Whether it is a triangle: its faces turn their backs to each other.
  [[nodiscard]] bool is_triangle() const { return faces_ == 2; }

  [[nodiscard]] const Vector3d& vertex(int i) const {
    return hull_ ? nth(hull_->vertices, i) : nth(own_, i);
  }
  [[nodiscard]] const std::array<int, 2>& edge(int i) const;
  /// Faces on either side of an edge, −1 for the axis of a capsule.
  [[nodiscard]] const std::array<int, 2>& edge_faces(int i) const;
  [[nodiscard]] Vector3d normal(int face) const;
  [[nodiscard]] double offset(int face) const;
  [[nodiscard]] std::span<const int> face_vertices(int face) const;

  /// Vertex farthest along n; the first of equals.
  [[nodiscard]] int support(const Vector3d& n) const;

 private:
  int vertices_ = 0, edges_ = 0, faces_ = 0;
  double rounding_ = 0.0;
  Vector3d half_ = Vector3d::Zero();    // of a box
  Vector3d normal_ = Vector3d::Zero();  // of a triangle
  std::array<Vector3d, 8> own_;
  const Convex* hull_ = nullptr;
};

}  // namespace pequod
