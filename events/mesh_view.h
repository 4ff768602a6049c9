// A mesh in the role of a body: what the finders for polytopes ask, answered from its features.
#pragma once

#include "events/contact_sink.h"
#include "events/mesh_queries.h"
#include "events/polytope_queries.h"

namespace pequod {

/// Points into the mesh.
class MeshView {
 public:
  explicit MeshView(const Mesh& mesh) : mesh_(&mesh) {}

  [[nodiscard]] const Mesh& mesh() const { return *mesh_; }
  [[nodiscard]] static double rounding() { return 0.0; }
  [[nodiscard]] int vertex_count() const { return static_cast<int>(mesh_->vertices.size()); }
  [[nodiscard]] int edge_count() const { return static_cast<int>(mesh_->edges.size()); }
  [[nodiscard]] const Vector3d& vertex(int i) const { return nth(mesh_->vertices, i); }
  [[nodiscard]] const std::array<int, 2>& edge(int i) const { return nth(mesh_->edges, i).ends; }
  /// Vertex farthest along n; the first of equals.
  [[nodiscard]] int support(const Vector3d& n) const;

 private:
  const Mesh* mesh_;
};

[[nodiscard]] inline bool is_edge_normal(const MeshView& P, int edge, const Vector3d& n) {
  return is_edge_normal(P.mesh(), edge, n);
}

/// Whether a vertex can touch at all: those inside a face or a straight edge cannot.
[[nodiscard]] inline bool is_corner(const Polytope&, int) { return true; }
[[nodiscard]] inline bool is_corner(const MeshView& P, int vertex) {
  return nth(P.mesh().corner, vertex) != 0;
}

/// Whether no edge at a vertex rises along n (unit, out of the body) by more than the sine `slack`.
[[nodiscard]] bool is_vertex_normal(const Polytope& P, int vertex, const Vector3d& n, double slack);
[[nodiscard]] inline bool is_vertex_normal(const MeshView& P, int vertex, const Vector3d& n,
                                           double slack) {
  return is_corner_normal(P.mesh(), vertex, n, slack);
}

template <typename Body>
[[nodiscard]] NamedFeature vertex_of(const Body& P, int v) {
  return point_feature(P.vertex(v), FeatureClass::vertex, v, P.rounding());
}

template <typename Body>
[[nodiscard]] NamedFeature edge_of(const Body& P, int e) {
  const Vector3d& from = P.vertex(P.edge(e)[0]);
  const Vector3d direction = (P.vertex(P.edge(e)[1]) - from).normalized();
  return line_feature(from, direction, FeatureClass::edge, e, P.rounding());
}

/// An edge between two facets, followed with the normals between theirs.
[[nodiscard]] NamedFeature edge_of(const MeshView& P, int e);

/// A corner, followed with the normals of the facets around it.
[[nodiscard]] NamedFeature ground_corner(const Mesh& mesh, int vertex);

[[nodiscard]] inline NamedFeature face_of(const Mesh& mesh, int face) {
  const Mesh::Face& f = nth(mesh.faces, face);
  return face_feature(f.point, f.normal, face);
}

}  // namespace pequod
