#include "core/mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>

#include "core/mesh_tree.h"

namespace pequod {
namespace {

constexpr double kFlat = 1e-12;  // of the size: what distances are certified to

std::size_t at(int i) { return static_cast<std::size_t>(i); }

[[noreturn]] void refuse_mesh(const std::string& why) {
  throw std::invalid_argument("mesh: " + why);
}

/// Vertices at the same place become one, in the order of their first.
std::vector<int> weld(const std::vector<Vector3d>& points, Mesh& mesh) {
  std::map<std::tuple<double, double, double>, int> seen;
  std::vector<int> index;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vector3d& p = points[i];
    if (!p.allFinite()) refuse_mesh("vertex " + std::to_string(i) + " is not finite");
    const auto [entry, is_new] =
        seen.try_emplace({p.x(), p.y(), p.z()}, static_cast<int>(mesh.vertices.size()));
    if (is_new) mesh.vertices.push_back(p);
    index.push_back(entry->second);
  }
  return index;
}

/// Whether the triangle is a line to rounding: its height is within kFlat of the size.
bool is_flat(const Mesh& mesh, const std::array<int, 3>& t) {
  const Vector3d &a = mesh.vertices[at(t[0])], &b = mesh.vertices[at(t[1])],
                 &c = mesh.vertices[at(t[2])];
  const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
  return (b - a).cross(c - a).norm() <= kFlat * mesh.size * longest;
}

void take_triangles(const std::vector<int>& index, const std::vector<std::array<int, 3>>& triangles,
                    Mesh& mesh) {
  Vector3d lo = Vector3d::Constant(kInfinity), hi = -lo;
  for (const Vector3d& p : mesh.vertices) {
    lo = lo.cwiseMin(p);
    hi = hi.cwiseMax(p);
  }
  mesh.size = mesh.vertices.empty() ? 0.0 : (hi - lo).norm();
  for (std::size_t k = 0; k < triangles.size(); ++k) {
    std::array<int, 3> t = triangles[k];
    for (int& v : t) {
      if (v < 0 || at(v) >= index.size()) {
        refuse_mesh("triangle " + std::to_string(k) + " names vertex " + std::to_string(v) +
                    " of " + std::to_string(index.size()));
      }
      v = index[at(v)];
    }
    if (!is_flat(mesh, t)) mesh.triangles.push_back(t);
  }
  if (mesh.triangles.empty()) refuse_mesh("no triangle has an area");
}

/// Pairs of triangles across each side.
void find_neighbours(Mesh& mesh) {
  std::map<std::pair<int, int>, std::pair<int, int>> sides;  // directed: triangle, side
  mesh.neighbours.assign(mesh.triangles.size(), {-1, -1, -1});
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
    for (int k = 0; k < 3; ++k) {
      const int from = mesh.triangles[at(t)][at(k)], to = mesh.triangles[at(t)][at((k + 1) % 3)];
      const auto [entry, is_new] = sides.try_emplace({from, to}, t, k);
      if (!is_new) {
        refuse_mesh("triangles " + std::to_string(entry->second.first) + " and " +
                    std::to_string(t) +
                    " run along their common side the same way: one faces inward, or more than two "
                    "triangles share the side; mend the mesh, or use its convex hull");
      }
    }
  }
  mesh.closed = true;
  for (const auto& [ends, side] : sides) {
    const auto other = sides.find({ends.second, ends.first});
    if (other == sides.end()) {
      mesh.closed = false;
    } else {
      mesh.neighbours[at(side.first)][at(side.second)] = other->second.first;
    }
  }
  if (!mesh.closed) return;
  double volume = 0.0;
  const Vector3d& origin = mesh.vertices[at(mesh.triangles[0][0])];
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t)
    volume += area_vector(mesh, t).dot(mesh.vertices[at(mesh.triangles[at(t)][0])] - origin);
  if (volume < 0.0) refuse_mesh("it is inside out; reverse the order of each triangle's vertices");
}

bool lies_in(const Mesh& mesh, int t, const Mesh::Face& face) {
  if (face.normal.dot(area_vector(mesh, t)) <= 0.0) return false;
  const std::array<int, 3>& corners = mesh.triangles[at(t)];
  return std::ranges::all_of(corners, [&](int v) {
    return std::abs(face.normal.dot(mesh.vertices[at(v)] - face.point)) <= kFlat * mesh.size;
  });
}

/// Faces grow from the largest triangles over their neighbours.
void merge_faces(Mesh& mesh) {
  std::vector<int> order(mesh.triangles.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<double> area;
  for (const int t : order) area.push_back(area_vector(mesh, t).norm());
  std::stable_sort(order.begin(), order.end(),
                   [&](int s, int t) { return area[at(s)] > area[at(t)]; });
  mesh.face_of.assign(mesh.triangles.size(), -1);
  std::vector<int> open;
  for (const int seed : order) {
    if (mesh.face_of[at(seed)] >= 0) continue;
    const int f = static_cast<int>(mesh.faces.size());
    mesh.faces.push_back(
        {area_vector(mesh, seed).normalized(), mesh.vertices[at(mesh.triangles[at(seed)][0])]});
    mesh.face_of[at(seed)] = f;
    open.assign(1, seed);
    while (!open.empty()) {
      const int t = open.back();
      open.pop_back();
      for (const int other : mesh.neighbours[at(t)]) {
        if (other < 0 || mesh.face_of[at(other)] >= 0) continue;
        if (!lies_in(mesh, other, mesh.faces.back())) continue;
        mesh.face_of[at(other)] = f;
        open.push_back(other);
      }
    }
  }
}

void find_rings(Mesh& mesh) {
  mesh.rings.resize(mesh.vertices.size());
  mesh.vertex_normals.assign(mesh.vertices.size(), Vector3d::Zero());
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
    const std::array<int, 3>& corners = mesh.triangles[at(t)];
    for (std::size_t k = 0; k < 3; ++k) {
      const int v = corners[k], next = corners[(k + 1) % 3], last = corners[(k + 2) % 3];
      mesh.rings[at(v)].insert(mesh.rings[at(v)].end(), {next, last});
      const Vector3d a = mesh.vertices[at(next)] - mesh.vertices[at(v)];
      const Vector3d b = mesh.vertices[at(last)] - mesh.vertices[at(v)];
      mesh.vertex_normals[at(v)] +=
          std::atan2(a.cross(b).norm(), a.dot(b)) * mesh.faces[at(mesh.face_of[at(t)])].normal;
    }
  }
  for (std::vector<int>& ring : mesh.rings) {
    std::sort(ring.begin(), ring.end());
    ring.erase(std::unique(ring.begin(), ring.end()), ring.end());
  }
}

/// One side between two faces, seen from the triangle it runs counter-clockwise around.
struct Side {
  int from, to, triangle, k;
  std::array<int, 2> faces;
  bool convex;  // or border
  int edge = -1;
};

std::vector<Side> sides_between_faces(const Mesh& mesh) {
  std::vector<Side> sides;
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
    for (int k = 0; k < 3; ++k) {
      const int other = mesh.neighbours[at(t)][at(k)];
      const int f = mesh.face_of[at(t)], g = other < 0 ? -1 : mesh.face_of[at(other)];
      if (f == g || (other >= 0 && other < t)) continue;
      Side side{
          mesh.triangles[at(t)][at(k)], mesh.triangles[at(t)][at((k + 1) % 3)], t, k, {f, g}, true};
      if (g >= 0) {
        const Vector3d &n = mesh.faces[at(f)].normal, &m = mesh.faces[at(g)].normal;
        const Vector3d e = mesh.vertices[at(side.to)] - mesh.vertices[at(side.from)];
        const double turn = n.cross(m).dot(e.normalized());
        // A sheet folded back on itself has a turn of 0 to rounding.
        side.convex = turn > 0.0 || (turn > -kFlat && n.dot(m) < 0.0);
      }
      sides.push_back(side);
    }
  }
  return sides;
}

/// Sides joined to straight stretches with the same faces on either side.
class EdgeMerger {
 public:
  EdgeMerger(Mesh& mesh, std::vector<Side>& sides)
      : mesh_(mesh), sides_(sides), at_vertex_(mesh.vertices.size()) {
    for (int i = 0; i < static_cast<int>(sides.size()); ++i) {
      at_vertex_[at(sides[at(i)].from)].push_back(i);
      at_vertex_[at(sides[at(i)].to)].push_back(i);
    }
  }

  void merge() {
    mesh_.corner.assign(mesh_.vertices.size(), 0);
    for (int i = 0; i < static_cast<int>(sides_.size()); ++i) {
      if (sides_[at(i)].convex && sides_[at(i)].edge < 0) add_edge(i);
    }
  }

 private:
  /// The side that continues side i straight on past vertex v, or −1.
  int beyond(int i, int v) const {
    const std::vector<int>& meet = at_vertex_[at(v)];
    if (meet.size() != 2) return -1;
    const int j = meet[0] == i ? meet[1] : meet[0];
    const Side &a = sides_[at(i)], &b = sides_[at(j)];
    std::array<int, 2> fa = a.faces, fb = b.faces;
    std::sort(fa.begin(), fa.end());
    std::sort(fb.begin(), fb.end());
    const Vector3d& p = mesh_.vertices[at(v)];
    const Vector3d u = mesh_.vertices[at(a.from + a.to - v)] - p;
    const Vector3d w = mesh_.vertices[at(b.from + b.to - v)] - p;
    const double height = u.cross(w).norm() / (u - w).norm();
    return fa == fb && u.dot(w) < 0.0 && height <= kFlat * mesh_.size ? j : -1;
  }

  /// Walks from side i past v to the end of the stretch.
  int walk(int i, int v, int edge) {
    sides_[at(i)].edge = edge;
    for (int next = beyond(i, v); next >= 0 && sides_[at(next)].edge < 0; next = beyond(i, v)) {
      sides_[at(next)].edge = edge;
      v = sides_[at(next)].from + sides_[at(next)].to - v;
      i = next;
    }
    return v;
  }

  void add_edge(int i) {
    const int name = static_cast<int>(mesh_.edges.size());
    const Side& side = sides_[at(i)];
    Mesh::Edge edge;
    edge.ends = {walk(i, side.from, name), walk(i, side.to, name)};
    edge.faces = side.faces;
    const Vector3d e = (mesh_.vertices[at(side.to)] - mesh_.vertices[at(side.from)]).normalized();
    edge.into[0] = mesh_.faces[at(side.faces[0])].normal.cross(e);
    edge.into[1] = side.faces[1] < 0 ? Vector3d(Vector3d::Zero())
                                     : Vector3d(e.cross(mesh_.faces[at(side.faces[1])].normal));
    mesh_.edges.push_back(edge);
    for (const int v : edge.ends) mesh_.corner[at(v)] = 1;
  }

  Mesh& mesh_;
  std::vector<Side>& sides_;
  std::vector<std::vector<int>> at_vertex_;
};

void find_edges(Mesh& mesh) {
  std::vector<Side> sides = sides_between_faces(mesh);
  EdgeMerger(mesh, sides).merge();
  mesh.sides.assign(mesh.triangles.size(), {-1, -1, -1});
  for (const Side& side : sides) {
    mesh.sides[at(side.triangle)][at(side.k)] = side.edge;
    const int other = mesh.neighbours[at(side.triangle)][at(side.k)];
    if (other < 0) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      if (mesh.triangles[at(other)][k] == side.to &&
          mesh.triangles[at(other)][(k + 1) % 3] == side.from)
        mesh.sides[at(other)][k] = side.edge;
    }
  }
}

}  // namespace

Mesh make_mesh(const std::vector<Vector3d>& vertices,
               const std::vector<std::array<int, 3>>& triangles) {
  Mesh mesh;
  const std::vector<int> index = weld(vertices, mesh);
  take_triangles(index, triangles, mesh);
  find_neighbours(mesh);
  merge_faces(mesh);
  find_rings(mesh);
  find_edges(mesh);
  build_tree(mesh);
  return mesh;
}

}  // namespace pequod
