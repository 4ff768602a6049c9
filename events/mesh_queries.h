// What finders ask of a mesh: triangles near a box, the nearest point, cones of normals.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "core/shape.h"
#include "events/tolerances.h"

namespace pequod {

/// Calls visit(triangle) for the triangles of every leaf whose box and parents' boxes `keep`.
/// @param keep  bool(lo, hi), m, mesh frame
template <typename Keep, typename Visit>
void visit_triangles(const Mesh& mesh, Keep keep, Visit visit) {
  int stack[64];  // halving leaves no deeper tree
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const Mesh::Node& node = nth(mesh.nodes, stack[--top]);
    if (!keep(node.lo, node.hi)) continue;
    for (int k = node.first; k < node.first + node.count; ++k) visit(nth(mesh.order, k));
    if (node.count > 0) continue;
    stack[top++] = node.first + 1;
    stack[top++] = node.first;
  }
}

/// Box overlap as a `keep`.
struct InBox {
  Vector3d lo = Vector3d::Zero(), hi = lo;
  bool operator()(const Vector3d& node_lo, const Vector3d& node_hi) const {
    return (node_lo.array() <= hi.array()).all() && (lo.array() <= node_hi.array()).all();
  }
};

/// Names of the features of some triangles, each once, in order. Storage to be kept from call to
/// call.
struct MeshFeatures {
  std::vector<int> triangles, edges, corners;
  /// Those that `keep` of the triangles in leaves that do.
  template <typename Keep>
  void collect(const Mesh& mesh, Keep keep) {
    reserve(mesh);
    triangles.clear();
    edges.clear();
    corners.clear();
    visit_triangles(mesh, keep, [&](int t) { add(mesh, t, keep); });
    for (std::vector<int>* names : {&triangles, &edges, &corners}) {
      std::sort(names->begin(), names->end());
      names->erase(std::unique(names->begin(), names->end()), names->end());
    }
  }

 private:
  /// For as many as are usual, so that a steady run does not meet a new highest number late.
  void reserve(const Mesh& mesh);
  template <typename Keep>
  void add(const Mesh& mesh, int triangle, const Keep& keep) {
    const auto t = static_cast<std::size_t>(triangle);
    const auto corner = [&](int v) -> const Vector3d& { return nth(mesh.vertices, v); };
    triangles.push_back(triangle);
    for (const int e : mesh.sides[t]) {
      if (e < 0) continue;
      const std::array<int, 2>& ends = nth(mesh.edges, e).ends;
      const Vector3d &a = corner(ends[0]), &b = corner(ends[1]);
      if (keep(a.cwiseMin(b), a.cwiseMax(b))) edges.push_back(e);
    }
    for (const int v : mesh.triangles[t])
      if (nth(mesh.corner, v) && keep(corner(v), corner(v))) corners.push_back(v);
  }
};

[[nodiscard]] std::array<Vector3d, 3> corners_of(const Mesh& mesh, int triangle);
[[nodiscard]] const Mesh::Face& face_around(const Mesh& mesh, int triangle);

/// Whether the foot of p on the triangle's plane lies in it, or no farther than slack (m) outside.
[[nodiscard]] bool is_over_triangle(const Mesh& mesh, int triangle, const Vector3d& p,
                                    double slack);

/// Signed distance of a point, m: below zero behind the part of the surface that is nearest (angle-
/// weighted normals tell sides, Bærentzen & Aanæs 2005).
[[nodiscard]] double point_distance(const Mesh& mesh, const Vector3d& p);

/// Whether n (unit, out of the mesh) is a normal of contact at an edge or corner: what is beside it
/// lies below the plane through it. Within kCrossingSlack.
[[nodiscard]] bool is_edge_normal(const Mesh& mesh, int edge, const Vector3d& n);
/// @param slack  sine of that angle
[[nodiscard]] bool is_corner_normal(const Mesh& mesh, int vertex, const Vector3d& n,
                                    double slack = kCrossingSlack);

/// By how much facets that meet at a vertex lean from n (unit) at most, m per metre along n; +∞
/// where the surface ends there or turns by 90°.
[[nodiscard]] double lean_around(const Mesh& mesh, int vertex, const Vector3d& n);

/// By how much the facets at the corners of a triangle lean from it, m per metre along its normal.
[[nodiscard]] double unevenness(const Mesh& mesh, int triangle);

/// Whether a neighbour lies in the same plane.
[[nodiscard]] bool is_merged(const Mesh& mesh, int triangle);

/// Whether a line through x that seems to lie behind an edge at `on_edge` enters the mesh there.
/// x alone may pass beside a sharp edge; one behind another part of the mesh does not count.
/// @param direction  of the line, unit
/// @param slack      m, still inside
[[nodiscard]] bool enters_at_edge(const Mesh& mesh, int edge, const Vector3d& on_edge,
                                  const Vector3d& x, const Vector3d& direction, double slack);

}  // namespace pequod
