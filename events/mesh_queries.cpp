#include "events/mesh_queries.h"

#include <cmath>

#include "events/ground_normals.h"
#include "events/tolerances.h"

namespace pequod {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// From p to a box, m².
double box_distance_squared(const Mesh::Node& node, const Vector3d& p) {
  return (node.lo - p).cwiseMax(p - node.hi).cwiseMax(0.0).squaredNorm();
}

/// The nearest point of a triangle, and the normal (any length) that tells its sides there.
struct TrianglePoint {
  Vector3d point = Vector3d::Zero(), normal = Vector3d::Zero();
};

TrianglePoint nearest_on_triangle(const Mesh& mesh, int t, const Vector3d& p) {
  const std::array<Vector3d, 3> corner = corners_of(mesh, t);
  const Vector3d& n = face_around(mesh, t).normal;
  TrianglePoint best;
  double least = kInfinity;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3d edge = corner[(k + 1) % 3] - corner[k];
    if (n.cross(edge).dot(p - corner[k]) >= 0.0) continue;
    const double s = std::clamp(edge.dot(p - corner[k]) / edge.squaredNorm(), 0.0, 1.0);
    const Vector3d foot = corner[k] + s * edge;
    if ((p - foot).squaredNorm() >= least) continue;
    least = (p - foot).squaredNorm();
    best.point = foot;
    if (s > 0.0 && s < 1.0) {
      const int other = mesh.neighbours[at(t)][k];
      best.normal = other < 0 ? n : Vector3d(n + face_around(mesh, other).normal);
    } else {
      const int v = mesh.triangles[at(t)][s > 0.0 ? (k + 1) % 3 : k];
      best.normal = mesh.vertex_normals[at(v)];
    }
  }
  if (least == kInfinity) best = {p - n * n.dot(p - corner[0]), n};
  return best;
}

/// Calls visit(triangle, ends) for those that have this vertex; `ends`: one of its sides there is a
/// border.
template <typename Visit>
void visit_around(const Mesh& mesh, int vertex, Visit visit) {
  const Vector3d& p = mesh.vertices[at(vertex)];
  visit_triangles(mesh, InBox{p, p}, [&](int t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::array<int, 3>& beside = mesh.neighbours[at(t)];
      if (mesh.triangles[at(t)][k] == vertex) visit(t, beside[k] < 0 || beside[(k + 2) % 3] < 0);
    }
  });
}

}  // namespace

void MeshFeatures::reserve(const Mesh& mesh) {
  constexpr std::size_t kUsual = 1024;  // triangles near one body
  const std::size_t count = std::min(mesh.triangles.size(), kUsual);
  triangles.reserve(count);
  edges.reserve(3 * count);
  corners.reserve(3 * count);
}

std::array<Vector3d, 3> corners_of(const Mesh& mesh, int triangle) {
  const std::array<int, 3>& t = mesh.triangles[at(triangle)];
  return {mesh.vertices[at(t[0])], mesh.vertices[at(t[1])], mesh.vertices[at(t[2])]};
}

const Mesh::Face& face_around(const Mesh& mesh, int triangle) {
  return mesh.faces[at(mesh.face_of[at(triangle)])];
}

bool is_over_triangle(const Mesh& mesh, int triangle, const Vector3d& p, double slack) {
  const std::array<Vector3d, 3> corner = corners_of(mesh, triangle);
  const Vector3d& n = face_around(mesh, triangle).normal;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3d inward = n.cross(corner[(k + 1) % 3] - corner[k]);
    if (inward.dot(p - corner[k]) < -slack * inward.norm()) return false;
  }
  return true;
}

double point_distance(const Mesh& mesh, const Vector3d& p) {
  double least = kInfinity;
  TrianglePoint best;
  int stack[64];
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const Mesh::Node& node = mesh.nodes[at(stack[--top])];
    if (box_distance_squared(node, p) >= least) continue;
    for (int k = node.first; k < node.first + node.count; ++k) {
      const TrianglePoint now = nearest_on_triangle(mesh, mesh.order[at(k)], p);
      const double square = (p - now.point).squaredNorm();
      if (square >= least) continue;
      least = square;
      best = now;
    }
    if (node.count > 0) continue;
    // The nearer child is looked at first.
    const int near = box_distance_squared(mesh.nodes[at(node.first)], p) <=
                             box_distance_squared(mesh.nodes[at(node.first + 1)], p)
                         ? node.first
                         : node.first + 1;
    stack[top++] = 2 * node.first + 1 - near;
    stack[top++] = near;
  }
  const double distance = std::sqrt(least);
  return best.normal.dot(p - best.point) < 0.0 ? -distance : distance;
}

bool is_edge_normal(const Mesh& mesh, int edge, const Vector3d& n) {
  const Mesh::Edge& e = mesh.edges[at(edge)];
  return n.dot(e.into[0]) <= kCrossingSlack && n.dot(e.into[1]) <= kCrossingSlack;
}

bool is_corner_normal(const Mesh& mesh, int vertex, const Vector3d& n, double slack) {
  const Vector3d& p = mesh.vertices[at(vertex)];
  for (const int other : mesh.rings[at(vertex)]) {
    const Vector3d beside = mesh.vertices[at(other)] - p;
    if (n.dot(beside) > slack * beside.norm()) return false;
  }
  return true;
}

double lean_around(const Mesh& mesh, int vertex, const Vector3d& n) {
  double most = 0.0;
  visit_around(mesh, vertex, [&](int t, bool ends) {
    most = std::max(most, ends ? kInfinity : lean_from(n, face_around(mesh, t).normal));
  });
  return most;
}

double unevenness(const Mesh& mesh, int triangle) {
  const Vector3d& n = face_around(mesh, triangle).normal;
  double most = 0.0;
  for (const int vertex : mesh.triangles[at(triangle)])
    visit_around(mesh, vertex, [&](int t, bool) {
      most = std::max(most, lean_from(n, face_around(mesh, t).normal));
    });
  return most;
}

bool is_merged(const Mesh& mesh, int triangle) {
  const std::array<int, 3>& beside = mesh.neighbours[at(triangle)];
  return std::ranges::any_of(beside, [&](int other) {
    return other >= 0 && mesh.face_of[at(other)] == mesh.face_of[at(triangle)];
  });
}

bool enters_at_edge(const Mesh& mesh, int edge, const Vector3d& on_edge, const Vector3d& x,
                    const Vector3d& direction, double slack) {
  const Mesh::Edge& e = mesh.edges[at(edge)];
  // Behind the first face, and behind the second or within the sheet's border.
  const Vector3d normals[2] = {
      mesh.faces[at(e.faces[0])].normal,
      e.faces[1] < 0 ? Vector3d(-e.into[0]) : mesh.faces[at(e.faces[1])].normal};
  double low = -kInfinity, high = kInfinity;
  for (const Vector3d& n : normals) {
    const double slope = n.dot(direction), below = n.dot(on_edge - x);
    if (std::abs(slope) <= kNormalSlack * kNormalSlack) {
      if (below < -slack) return false;
    } else if (slope > 0.0) {
      high = std::min(high, below / slope);
    } else {
      low = std::max(low, below / slope);
    }
  }
  if (low > high) return false;
  return point_distance(mesh, x + std::clamp(0.0, low, high) * direction) <= slack;
}

}  // namespace pequod
