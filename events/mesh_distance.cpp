#include <algorithm>
#include <cmath>
#include <vector>

#include "events/broad_phase.h"
#include "events/cone_features.h"
#include "events/convex_contacts.h"
#include "events/mesh_contacts.h"

namespace pequod {
namespace {

constexpr double kAgreement = 1e-12;  // of the size: what distances of convex bodies agree to

Polytope triangle_body(const Mesh& mesh, int t) {
  return {corners_of(mesh, t), face_around(mesh, t).normal};
}

/// Largest n·x over a body, m, and a point of it.
double extent(const Polytope& P, const Vector3d& n) {
  return n.dot(P.vertex(P.support(n))) + P.rounding() * n.norm();
}
double extent(const MeshView& P, const Vector3d& n) { return n.dot(P.vertex(P.support(n))); }
Vector3d any_point(const Polytope& P) { return P.vertex(0); }
Vector3d any_point(const MeshView& P) { return P.vertex(P.mesh().triangles[0][0]); }
template <typename Round>
Vector3d any_point(const Round&) {
  return Vector3d::Zero();
}

template <typename Body>
Aabb box_around(const Body& P, const Pose& X_QP) {
  Aabb box;
  for (int k = 0; k < 3; ++k) {
    const Vector3d n = X_QP.R.row(k).transpose();
    box.lo[k] = X_QP.p[k] - extent(P, -n);
    box.hi[k] = X_QP.p[k] + extent(P, n);
  }
  return box;
}

/// Least distance between points of two boxes, m.
double box_distance(const Vector3d& lo, const Vector3d& hi, const Aabb& box) {
  return (lo - box.hi).cwiseMax(box.lo - hi).cwiseMax(0.0).norm();
}

/// The nearest triangle, or the one in deepest.
struct NearestTriangle {
  double distance = kInfinity;
  int triangle = -1;
};

/// Depth first, the nearer child first. Boxes that overlap say nothing about how deep.
template <typename Distance>
void search_triangles(const Mesh& Q, const Aabb& box, Distance distance, NearestTriangle& best) {
  int stack[64];  // halving leaves no deeper tree
  int top = 0;
  stack[top++] = 0;
  const auto away = [&](int node) {
    return box_distance(nth(Q.nodes, node).lo, nth(Q.nodes, node).hi, box);
  };
  while (top > 0) {
    const int index = stack[--top];
    const Mesh::Node& node = nth(Q.nodes, index);
    if (away(index) > std::max(best.distance, 0.0)) continue;
    for (int k = node.first; k < node.first + node.count; ++k) {
      const int t = nth(Q.order, k);
      const double now = distance(t);
      if (now < best.distance) best = {now, t};
    }
    if (node.count > 0) continue;
    const bool first_is_nearer = away(node.first) <= away(node.first + 1);
    stack[top++] = first_is_nearer ? node.first + 1 : node.first;
    stack[top++] = first_is_nearer ? node.first : node.first + 1;
  }
}

/// What a triangle is away from a body at least, m: by how much the plane of the one or a face of
/// the other parts them. A triangle of a bore is behind its plane, seen from any pin in it.
template <typename Round>
double parted_by(const Mesh&, int, const Round&, const Pose&) {
  return -kInfinity;
}
double parted_by(const Mesh& Q, int t, const Polytope& P, const Pose& X_PQ) {
  const Mesh::Face& face = face_around(Q, t);
  const Vector3d n = X_PQ.R * face.normal;
  const double plane = n.dot(X_PQ * face.point);
  double parted =
      std::max(n.dot(P.vertex(P.support(-n))) - plane, plane - n.dot(P.vertex(P.support(n))));
  const std::array<Vector3d, 3> corners = corners_of(Q, t);
  const Vector3d a = X_PQ * corners[0], b = X_PQ * corners[1], c = X_PQ * corners[2];
  for (int f = 0; f < P.face_count(); ++f) {
    const Vector3d m = P.normal(f);
    parted = std::max(parted, std::min({m.dot(a), m.dot(b), m.dot(c)}) - P.offset(f));
  }
  return parted - P.rounding();
}

/// @param within  m; farther triangles are not looked for
/// @param slack   m, of bounds and distances
template <typename Body>
NearestTriangle nearest_triangle(const Body& P, const Mesh& Q, const Pose& X_QP, double within,
                                 double slack) {
  NearestTriangle best{within};
  const Pose X_PQ = X_QP.inverse();
  const auto distance = [&](int t) {
    if (parted_by(Q, t, P, X_PQ) > best.distance + slack) return kInfinity;
    return convex_distance(triangle_body(Q, t), P, X_QP);
  };
  search_triangles(Q, box_around(P, X_QP), distance, best);
  return best;
}

NearestTriangle nearest_triangle(const MeshView& P, const Mesh& Q, const Pose& X_QP, double within,
                                 double /*slack*/) {
  NearestTriangle best{within};
  const Aabb box = box_around(P, X_QP);
  // Triangle by triangle of Q, each against the tree of P.
  const Pose X_PQ = X_QP.inverse();
  search_triangles(
      Q, box,
      [&](int t) {
        const Polytope body = triangle_body(Q, t);
        NearestTriangle of_P{best.distance, -1};
        search_triangles(
            P.mesh(), box_around(body, X_PQ),
            [&](int s) { return convex_distance(triangle_body(P.mesh(), s), body, X_PQ); }, of_P);
        return of_P.distance;
      },
      best);
  return best;
}

/// Deepest contact of bodies that touch or overlap; what the triangles say if no pair of features
/// overlaps, as at two vertices that touch.
template <typename Body>
double deepest_contact(const Body& P, const Mesh& Q, const Pose& X_WP, const Pose& X_WQ,
                       double size, double of_triangles) {
  thread_local std::vector<ContactPoint> found;  // storage only: written before it is read
  const double limit = size + Q.size;
  // A depth is seen within the range only.
  for (double range = std::max(1e-3 * size, 4.0 * std::abs(of_triangles));; range *= 2.0) {
    found.clear();
    find_mesh_contacts(P, Q, {X_WP, X_WQ, 0, 0, false, range, found});
    double least = of_triangles;
    for (const ContactPoint& contact : found) least = std::min(least, contact.gap);
    if (least > -0.5 * range || range > limit) return least;
  }
}

/// Closed surfaces that do not touch: whether the one is inside the other.
bool is_inside(const Mesh& Q, const Vector3d& p) {
  const InBox around{Q.nodes[0].lo, Q.nodes[0].hi};
  return Q.closed && around(p, p) && point_distance(Q, p) < 0.0;
}
template <typename Body>
bool encloses(const Body&, const Vector3d&) {
  return false;  // its surface would cut the mesh
}
bool encloses(const MeshView& P, const Vector3d& p_P) { return is_inside(P.mesh(), p_P); }

}  // namespace

template <typename Body>
double mesh_distance(const Body& P, const Mesh& Q, const Pose& X_WP, const Pose& X_WQ,
                     double within) {
  const Pose X_QP = relative_pose(X_WQ, X_WP);
  const Aabb box = box_around(P, X_QP);
  const double size = (box.hi - box.lo).norm();
  const double slack = kAgreement * std::max(size, Q.size);
  NearestTriangle nearest = nearest_triangle(P, Q, X_QP, within, slack);
  const bool found = nearest.triangle >= 0;
  if (found && nearest.distance <= slack)
    return deepest_contact(P, Q, X_WP, X_WQ, size, nearest.distance);
  const Vector3d corner = nth(Q.vertices, Q.triangles[0][0]);
  const bool inside =
      is_inside(Q, X_QP * any_point(P)) || encloses(P, X_QP.R.transpose() * (corner - X_QP.p));
  if (!inside) return found ? nearest.distance : kInfinity;
  if (!found) nearest = nearest_triangle(P, Q, X_QP, kInfinity, slack);
  const Vector3d n = X_QP.R.transpose() * face_around(Q, nearest.triangle).normal;
  return -nearest.distance - extent(P, n) - extent(P, -n);
}

template double mesh_distance(const Polytope&, const Mesh&, const Pose&, const Pose&, double);
template double mesh_distance(const MeshView&, const Mesh&, const Pose&, const Pose&, double);
template double mesh_distance(const Cylinder&, const Mesh&, const Pose&, const Pose&, double);
template double mesh_distance(const Cone&, const Mesh&, const Pose&, const Pose&, double);

}  // namespace pequod
