#include "events/mesh_contacts.h"

#include <algorithm>
#include <cmath>

#include "events/facet_part.h"
#include "events/ground_normals.h"
#include "events/tolerances.h"

namespace pequod {
namespace {

// Sine of the angle by which a vertex behind a face may rise over its neighbours: a patch has all
// its corners, each with its own gap.
constexpr double kLean = 0.1;

bool is_open(const Mesh& mesh, int triangle, std::size_t side) {
  return nth(mesh.sides, triangle)[side] < 0;
}

/// A facet. Where p is over the inside of one of several in a plane it has the name of their face,
/// whichever of them that is.
NamedFeature facet_feature(const Mesh& mesh, int triangle, const Vector3d& p, double slack) {
  const std::array<Vector3d, 3> corner = corners_of(mesh, triangle);
  const bool inside = is_merged(mesh, triangle) && is_over_triangle(mesh, triangle, p, slack);
  const int face = nth(mesh.face_of, triangle);
  NamedFeature out = inside ? point_feature(corner[0], FeatureClass::face, face)
                            : point_feature(corner[0], FeatureClass::triangle, triangle);
  out.feature.kind = FeatureKind::facet;
  out.feature.a = corner[1];
  out.feature.b = corner[2];
  for (std::size_t k = 0; k < 3; ++k)
    if (is_open(mesh, triangle, k)) out.feature.open |= static_cast<std::uint8_t>(1u << k);
  return out;
}

/// By how much the facets around a triangle lean, for its sides and corners (see Feature).
void set_leans(const Mesh& mesh, int triangle, Feature& facet) {
  const Vector3d& n = face_around(mesh, triangle).normal;
  const auto t = static_cast<std::size_t>(triangle);
  facet.lean_high = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    const int other = mesh.neighbours[t][k];
    facet.side_lean[k] = other < 0 ? kInfinity : lean_from(n, face_around(mesh, other).normal);
    facet.lean_high = std::max(facet.lean_high, lean_around(mesh, mesh.triangles[t][k], n));
  }
}

/// Whether p is on the inner side of the open sides of a triangle; beyond them a neighbour is
/// nearer.
bool is_within_open_sides(const Mesh& mesh, int triangle, const Vector3d& p, double slack) {
  const std::array<Vector3d, 3> corner = corners_of(mesh, triangle);
  const Vector3d& n = face_around(mesh, triangle).normal;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!is_open(mesh, triangle, k)) continue;
    const Vector3d inward = n.cross(corner[(k + 1) % 3] - corner[k]);
    if (inward.dot(p - corner[k]) < -slack * inward.norm()) return false;
  }
  return true;
}

double size_of(const MeshView& body) { return body.mesh().size; }

double size_of(const Polytope& body) {
  Vector3d lo = Vector3d::Constant(kInfinity), hi = -lo;
  for (int v = 0; v < body.vertex_count(); ++v) {
    lo = lo.cwiseMin(body.vertex(v));
    hi = hi.cwiseMax(body.vertex(v));
  }
  return (hi - lo).norm() + 2.0 * body.rounding();
}

template <typename Body>
struct MeshPair {
  const Body& P;
  const Mesh& Q;
  const ContactSink& sink;
  Pose X_QP;
  double reach;  // of core gaps
  double slack;  // of the smaller: a mesh of terrain may be a thousand times as wide

  MeshPair(const Body& body, const Mesh& mesh, const ContactSink& s)
      : P(body),
        Q(mesh),
        sink(s),
        X_QP(relative_pose(s.X_WQ, s.X_WP)),
        reach(s.range + body.rounding()),
        slack(kMerge * std::min(mesh.size, size_of(body))) {}

  [[nodiscard]] Vector3d vertex(int v) const { return X_QP * P.vertex(v); }
  [[nodiscard]] InBox box_around(const Vector3d& a, const Vector3d& b) const {
    const double away = reach + slack;
    return {(a.cwiseMin(b).array() - away).matrix(), (a.cwiseMax(b).array() + away).matrix()};
  }
  /// Whether the body lies on the outer side of a plane through its vertex v.
  [[nodiscard]] bool lies_outside(int v, const Vector3d& normal) const {
    return is_vertex_normal(P, v, -(X_QP.R.transpose() * normal), kLean);
  }
  /// A vertex behind a face is in contact with it if it is inside the mesh and the body lies on the
  /// face's outer side: the vertex is behind the far side of a thin plate too. The centre of a ball
  /// has no such side: the nearest face counts.
  [[nodiscard]] bool is_behind(int v, const Vector3d& p, const Vector3d& normal,
                               double height) const {
    const double depth = -point_distance(Q, p);
    if (depth < -slack) return false;
    if (P.rounding() > 0.0) return -height <= depth + slack;
    return lies_outside(v, normal) && !stands(v, p);
  }
  /// A vertex at p stands on a face: it is behind no other, though it may seem so of the next one
  /// round an edge, over whose border it is.
  [[nodiscard]] bool stands(int v, const Vector3d& p) const {
    bool found = false;
    visit_triangles(Q, InBox{p.array() - slack, p.array() + slack}, [&](int t) {
      const Mesh::Face& face = face_around(Q, t);
      found = found || (std::abs(face.normal.dot(p - face.point)) <= slack &&
                        is_over_triangle(Q, t, p, slack) && lies_outside(v, face.normal));
    });
    return found;
  }
  [[nodiscard]] bool is_named(std::size_t first, std::uint64_t name) const {
    return std::any_of(sink.out.begin() + static_cast<std::ptrdiff_t>(first), sink.out.end(),
                       [&](const ContactPoint& contact) { return contact.key.feature == name; });
  }

  void vertex_contacts(int v) const;
  void edge_contacts(int e, MeshFeatures& near) const;
  void edge_contact(int e, int edge_Q, const Vector3d& from, const Vector3d& to) const;
};

/// A rounded vertex follows each triangle around it with its convex border, so that a ball rolls
/// over edges; a sharp one stands on the plane of a face.
template <typename Body>
void MeshPair<Body>::vertex_contacts(int v) const {
  const Vector3d p = vertex(v);
  const bool rounded = P.rounding() > 0.0;
  const std::size_t first = sink.out.size();
  visit_triangles(Q, box_around(p, p), [&](int t) {
    const Mesh::Face& face = face_around(Q, t);
    const double height = face.normal.dot(p - face.point);
    if (std::abs(height) > reach) return;
    const bool over = is_over_triangle(Q, t, p, rounded ? 0.0 : slack);
    if (!over && !rounded) return;
    if (over && height < -slack && !is_behind(v, p, face.normal, height)) return;
    const NamedFeature point = vertex_of(P, v);
    if (rounded) {
      if (!is_within_open_sides(Q, t, p, slack)) return;
      NamedFeature facet = facet_feature(Q, t, p, slack);
      if (is_named(first, sink.name(point.name, facet.name)) || !sink.add(point, facet)) return;
      set_leans(Q, t, facet.feature);
      if (!leaves_facet(facet.feature, p)) sink.feature_of_Q() = facet.feature;
      return;
    }
    const NamedFeature plane = face_of(Q, nth(Q.face_of, t));
    if (!is_named(first, sink.name(point.name, plane.name))) sink.add(point, plane);
  });
}

template <typename Body>
void MeshPair<Body>::edge_contact(int e, int edge_Q, const Vector3d& from,
                                  const Vector3d& to) const {
  const Mesh::Edge& edge = nth(Q.edges, edge_Q);
  const Vector3d& q_from = nth(Q.vertices, edge.ends[0]);
  const Vector3d& q_to = nth(Q.vertices, edge.ends[1]);
  const EdgeCrossing crossing = cross_edges(from, to, q_from, q_to, slack);
  if (!crossing.interior) return;
  Vector3d outward = nth(Q.faces, edge.faces[0]).normal - edge.into[0];
  if (edge.faces[1] >= 0) outward += nth(Q.faces, edge.faces[1]).normal - edge.into[1];
  const Vector3d out =
      crossing.normal.dot(outward) < 0.0 ? Vector3d(-crossing.normal) : crossing.normal;
  const double gap = out.dot(crossing.on_first - crossing.on_second);
  if (std::abs(gap) > reach || !is_edge_normal(Q, edge_Q, out)) return;
  if (!is_edge_normal(P, e, -(X_QP.R.transpose() * out))) return;
  if (gap < -slack && !enters_at_edge(Q, edge_Q, crossing.on_second, crossing.on_first,
                                      (to - from).normalized(), slack))
    return;
  NamedFeature P_edge = edge_of(P, e);
  NamedFeature Q_edge = edge_of(MeshView(Q), edge_Q);
  P_edge.feature.parameter = (crossing.on_first - from).norm();
  Q_edge.feature.parameter = (crossing.on_second - q_from).norm();
  const double turn = (X_QP.R * P_edge.feature.a).cross(Q_edge.feature.a).dot(out);
  sink.add(P_edge, Q_edge, turn < 0.0 ? 1.0 : -1.0);  // n = −out, from P to Q
}

template <typename Body>
void MeshPair<Body>::edge_contacts(int e, MeshFeatures& near) const {
  const Vector3d from = vertex(P.edge(e)[0]), to = vertex(P.edge(e)[1]);
  near.collect(Q, box_around(from, to));
  for (const int edge_Q : near.edges) edge_contact(e, edge_Q, from, to);
}

/// Corners of the mesh on the faces of P, or beside a rounded edge. One that stands where a vertex
/// of P stands already adds nothing.
void corner_contact(const MeshPair<Polytope>& pair, int corner, std::size_t first,
                    std::size_t last) {
  const Polytope& P = pair.P;
  const Vector3d& q = nth(pair.Q.vertices, corner);
  const auto may_meet = [&](const Vector3d& n) {
    return is_corner_normal(pair.Q, corner, -(pair.X_QP.R * n));
  };
  const NearestPart part = nearest_part_to_meet(P, pair.X_QP.R.transpose() * (q - pair.X_QP.p),
                                                pair.reach, 0.0, may_meet);
  if (std::abs(part.distance) > pair.reach || !may_meet(part.normal)) return;
  const NamedFeature point = ground_corner(pair.Q, corner);
  if (part.face >= 0) {
    if (pair.sink.add(
            face_feature(P.vertex(P.face_vertices(part.face)[0]), P.normal(part.face), part.face),
            point))
      pair.sink.drop_repeated(first, last, pair.sink.X_WQ * q, 4.0 * pair.slack);
  } else if (part.edge >= 0 && P.rounding() > 0.0 && part.distance > 0.0) {
    pair.sink.add(edge_of(P, part.edge), point);
  }
}

}  // namespace

bool is_vertex_normal(const Polytope& P, int vertex, const Vector3d& n, double slack) {
  for (int e = 0; e < P.edge_count(); ++e) {
    const std::array<int, 2>& ends = P.edge(e);
    if (ends[0] != vertex && ends[1] != vertex) continue;
    const Vector3d beside = P.vertex(ends[0] + ends[1] - vertex) - P.vertex(vertex);
    if (n.dot(beside) > slack * beside.norm()) return false;
  }
  return true;
}

NamedFeature edge_of(const MeshView& P, int e) {
  const Mesh& mesh = P.mesh();
  const Vector3d& from = P.vertex(P.edge(e)[0]);
  const Vector3d along = (P.vertex(P.edge(e)[1]) - from).normalized();
  NamedFeature out = line_feature(from, along, FeatureClass::edge, e);
  const std::array<int, 2>& faces = nth(mesh.edges, e).faces;
  if (faces[1] < 0) return out;
  const Vector3d& n = nth(mesh.faces, faces[0]).normal;
  const Vector3d& m = nth(mesh.faces, faces[1]).normal;
  if (n.dot(m) < -0.5) return out;  // sharper than 60°: any normal is near one of the edge's
  out.feature.b = (n + m - along * along.dot(n + m)).normalized();
  const Vector3d left = out.feature.b.cross(along);
  const double lean_n = left.dot(n) / out.feature.b.dot(n);
  const double lean_m = left.dot(m) / out.feature.b.dot(m);
  out.feature.lean_low = std::min(lean_n, lean_m);
  out.feature.lean_high = std::max(lean_n, lean_m);
  return out;
}

NamedFeature ground_corner(const Mesh& mesh, int vertex) {
  NamedFeature out = vertex_of(MeshView(mesh), vertex);
  out.feature.a = nth(mesh.vertex_normals, vertex).normalized();
  out.feature.lean_high = lean_around(mesh, vertex, out.feature.a);
  return out;
}

int MeshView::support(const Vector3d& n) const {
  int best = 0;
  double most = -kInfinity;
  const auto farther = [&](const Vector3d& lo, const Vector3d& hi) {
    return (n.array() > 0.0).select(hi, lo).dot(n) >= most;
  };
  visit_triangles(*mesh_, farther, [&](int t) {
    for (const int v : nth(mesh_->triangles, t)) {
      const double along = n.dot(vertex(v));
      if (along < most || (along == most && v >= best)) continue;
      most = along;
      best = v;
    }
  });
  return best;
}

void find_mesh_contacts(const Polytope& P, const Mesh& Q, const ContactSink& sink) {
  const MeshPair<Polytope> pair(P, Q, sink);
  Vector3d lo = Vector3d::Constant(kInfinity), hi = -lo;
  for (int v = 0; v < P.vertex_count(); ++v) {
    lo = lo.cwiseMin(pair.vertex(v));
    hi = hi.cwiseMax(pair.vertex(v));
  }
  thread_local MeshFeatures around, near;  // storage only: written before it is read
  const InBox box = pair.box_around(lo, hi);
  if (!box(Q.nodes[0].lo, Q.nodes[0].hi)) return;
  const std::size_t first = sink.out.size();
  for (int v = 0; v < P.vertex_count(); ++v) pair.vertex_contacts(v);
  if (P.edge_count() == 0) return;
  const std::size_t last = sink.out.size();
  around.collect(Q, box);
  for (const int corner : around.corners) corner_contact(pair, corner, first, last);
  if (around.edges.empty()) return;
  for (int e = 0; e < P.edge_count(); ++e) pair.edge_contacts(e, near);
}

namespace {

/// Features of P that may touch Q, which has the pose X_PQ.
void collect_near(const Mesh& P, const Mesh& Q, const Pose& X_PQ, double range,
                  MeshFeatures& near) {
  const Vector3d half = 0.5 * (X_PQ.R.cwiseAbs() * (Q.nodes[0].hi - Q.nodes[0].lo));
  const Vector3d centre = X_PQ * Vector3d(0.5 * (Q.nodes[0].lo + Q.nodes[0].hi));
  near.collect(P, InBox{(centre - half).array() - range, (centre + half).array() + range});
}

}  // namespace

void find_mesh_contacts(const MeshView& P, const Mesh& Q, const ContactSink& sink) {
  thread_local MeshFeatures of_P, of_Q, near;  // storage only: written before it is read
  const MeshView view_Q(Q);
  const ContactSink exchanged = sink.exchanged();
  const MeshPair<MeshView> pair(P, Q, sink), turned(view_Q, P.mesh(), exchanged);
  collect_near(P.mesh(), Q, turned.X_QP, sink.range, of_P);
  collect_near(Q, P.mesh(), pair.X_QP, sink.range, of_Q);
  for (const int v : of_P.corners) pair.vertex_contacts(v);
  for (const int v : of_Q.corners) turned.vertex_contacts(v);
  for (const int e : of_P.edges) pair.edge_contacts(e, near);
}

}  // namespace pequod
