#include <algorithm>
#include <cmath>

#include "events/certified_bounds.h"
#include "events/cone_features.h"
#include "events/convex_contacts.h"
#include "events/convex_distance.h"
#include "events/polytope_queries.h"
#include "events/tolerances.h"

namespace pequod {
namespace {

/// A cylinder or cone and a body with straight features.
template <typename Round>
struct RoundPair {
  const Round& P;
  const Polytope& Q;
  Pose X_PQ;
  RimPoints named;
  double size;

  RoundPair(const Round& body, const Polytope& polytope, const Pose& X, const RimPoints& rim = {})
      : P(body), Q(polytope), X_PQ(X), named(rim), size(pair_size(Q, Q)) {
    size = std::max(size, std::hypot(P.radius, 0.5 * P.length));
  }

  [[nodiscard]] Vector3d vertex(int v) const { return X_PQ * Q.vertex(v); }
  [[nodiscard]] double rounding() const { return Q.rounding(); }
  /// Of the surfaces along a unit normal.
  [[nodiscard]] double separation(const Vector3d& n) const {
    const Vector3d n_Q = X_PQ.R.transpose() * n;
    return n_Q.dot(Q.vertex(Q.support(-n_Q))) + n.dot(X_PQ.p) - extent(P, n) - Q.rounding();
  }
  [[nodiscard]] bool is_normal_of_edge(int e, const Vector3d& n) const {
    return is_edge_normal(Q, e, -(X_PQ.R.transpose() * n));
  }
  /// Features of Q within `slab` (m) of its extreme along n.
  [[nodiscard]] Window window(const Vector3d& n, double slab) const {
    const Vector3d n_Q = X_PQ.R.transpose() * n;
    return {n, n.dot(vertex(Q.support(-n_Q))) + slab};
  }
  [[nodiscard]] GjkResult core_search(double scale) const;
  template <typename Visit>
  void visit_face_normals(Visit visit) const {
    visit(-Vector3d::UnitZ());
    visit(Vector3d::UnitZ());
    for (int f = 0; f < Q.face_count(); ++f) visit(-(X_PQ.R * Q.normal(f)));
  }
  template <typename Visit>
  void visit_meetings(const Window& window, Visit visit) const;
  /// Vertices on a rim, within rounding or a little inside: no nearest point gives them a normal.
  /// Visits the two ends of the arc of normals that rim and vertex share.
  template <typename Visit>
  void visit_vertices_on_rims(Visit visit) const;
  template <typename Visit>
  void visit_vertex_on_rim(int v, const Vector3d& q, int cap, const RimSpot& spot,
                           Visit visit) const;
};

NamedFeature edge_feature(const Polytope& Q, int e) {
  const Vector3d& from = Q.vertex(Q.edge(e)[0]);
  return line_feature(from, (Q.vertex(Q.edge(e)[1]) - from).normalized(), FeatureClass::edge, e,
                      Q.rounding());
}

template <typename Round, typename Visit>
void visit_extremes_on_faces(const RoundPair<Round>& pair, const Window& window, Visit visit) {
  const Pose X_QP = pair.X_PQ.inverse();
  for (int f = 0; f < pair.Q.face_count(); ++f) {
    const Vector3d n = -(pair.X_PQ.R * pair.Q.normal(f));
    if (!window.aligned(n)) continue;
    const NamedFeature face =
        face_feature(pair.Q.vertex(pair.Q.face_vertices(f)[0]), pair.Q.normal(f), f);
    visit_extremes(pair.P, n, pair.named, [&](const NamedFeature& extreme) {
      const Vector3d p_Q = X_QP * feature_point(extreme.feature);
      if (!is_over_face(pair.Q, f, p_Q, kMerge * pair.size)) return;
      visit(FeatureMeeting{extreme, face, 1.0, pair.Q.normal(f).dot(p_Q) - pair.Q.offset(f), n});
    });
  }
}

template <typename Round, typename Visit>
void visit_short_chord(const RoundPair<Round>& pair, const Window& window, int cap, int e,
                       Visit visit) {
  if (pair.Q.rounding() > 0.0) return;
  const auto& [first, last] = pair.Q.edge(e);
  const auto chord = short_chord(pair.P, cap, pair.vertex(first), pair.vertex(last));
  if (!chord) return;
  const NamedFeature face = cap_feature(pair.P, cap);
  const Vector3d& n = face.feature.a;
  if (!window.aligned(n) || !pair.is_normal_of_edge(e, n)) return;
  visit({face, point_of(edge_feature(pair.Q, e), chord->s), 1.0, chord->gap, n});
}

template <typename Round, typename Visit>
void visit_edge(const RoundPair<Round>& pair, const Window& window, int e, Visit visit) {
  const Vector3d from = pair.vertex(pair.Q.edge(e)[0]), to = pair.vertex(pair.Q.edge(e)[1]);
  SideCrossing sides[2];
  const int side_count = cross_side(pair.P, from, to, sides);
  for (int k = 0; k < side_count; ++k) {
    const Vector3d& n = sides[k].normal;
    if (!window.aligned(n) || !pair.is_normal_of_edge(e, n)) continue;
    visit({sides[k].side, edge_feature(pair.Q, e), sides[k].sign, sides[k].gap - pair.Q.rounding(),
           n});
  }
  visit_tips(pair.P, [&](const NamedFeature& tip) {
    const Vector3d along = to - from;
    const double s = along.dot(tip.feature.p - from) / along.squaredNorm();
    const Vector3d d = from + s * along - tip.feature.p;
    // Sharp points that touch sharp edges have no normal of their own.
    if (!(s > 0.0 && s < 1.0) || d.norm() <= kMerge * pair.size) return;
    const Vector3d n = d.normalized();
    if (nearest_part(pair.P, from + s * along).feature.name != tip.name) return;
    if (!window.aligned(n) || !pair.is_normal_of_edge(e, n)) return;
    visit({tip, edge_feature(pair.Q, e), 1.0, d.norm() - pair.Q.rounding(), n});
  });
  for (int cap = 0; cap < cap_count(pair.P); ++cap) {
    RimCrossing found[4];
    const int count = cross_rim(pair.P, cap, from, to, pair.Q.rounding(), found);
    for (int k = 0; k < count; ++k) {
      const Vector3d& n = found[k].normal;
      if (!window.aligned(n) || !pair.is_normal_of_edge(e, n)) continue;
      visit({found[k].rim, edge_feature(pair.Q, e), found[k].sign, found[k].gap - pair.Q.rounding(),
             n, found[k].stands});
    }
    visit_short_chord(pair, window, cap, e, visit);
  }
}

template <typename Round>
template <typename Visit>
void RoundPair<Round>::visit_meetings(const Window& window, Visit visit) const {
  const RoundPair& pair = *this;
  visit_extremes_on_faces(pair, window, visit);
  for (int v = 0; v < pair.Q.vertex_count(); ++v) {
    const Vector3d q = pair.vertex(v);
    if (!window.sees(q)) continue;
    const RoundPart part = nearest_part(pair.P, q);
    if (!window.aligned(part.normal)) continue;
    visit({part.feature,
           point_feature(pair.Q.vertex(v), FeatureClass::vertex, v, pair.Q.rounding()), 1.0,
           part.distance - pair.Q.rounding(), part.normal});
  }
  for (int e = 0; e < pair.Q.edge_count(); ++e) {
    if (!window.sees(pair.vertex(pair.Q.edge(e)[0])) &&
        !window.sees(pair.vertex(pair.Q.edge(e)[1]))) {
      continue;
    }
    visit_edge(pair, window, e, visit);
  }
}

/// An end of an arc of normals in the plane of axis and radius, and the edge that ends it (−1: cap
/// or side of the round body).
struct ArcEnd {
  Eigen::Vector2d n;
  int edge = -1;
};

/// Cuts off what leans into the body along g, from the rim's point. @return false if nothing is
/// left
bool clip_arc(const Eigen::Vector2d& g, int edge, ArcEnd& lo, ArcEnd& hi) {
  const double a = g.dot(lo.n), b = g.dot(hi.n);
  if (a >= 0.0 && b >= 0.0) return true;
  if (a <= 0.0 && b <= 0.0) return false;
  const Eigen::Vector2d between = (std::abs(b) * lo.n + std::abs(a) * hi.n).normalized();
  ArcEnd& cut = a < 0.0 ? lo : hi;
  cut.n = between;
  cut.edge = edge;
  return true;
}

template <typename Round>
template <typename Visit>
void RoundPair<Round>::visit_vertices_on_rims(Visit visit) const {
  for (int v = 0; v < Q.vertex_count(); ++v) {
    const Vector3d q = vertex(v);
    for (int cap = 0; cap < cap_count(P); ++cap)
      if (const auto spot = spot_on_rim(P, cap, q, size))
        visit_vertex_on_rim(v, q, cap, *spot, visit);
  }
}

template <typename Round>
template <typename Visit>
void RoundPair<Round>::visit_vertex_on_rim(int v, const Vector3d& q, int cap, const RimSpot& spot,
                                           Visit visit) const {
  const Vector3d &radial = spot.radial, axial = Vector3d::UnitZ();
  const auto in_plane = [&](const Vector3d& x) { return Eigen::Vector2d(x.dot(radial), x.z()); };
  ArcEnd lo{in_plane(spot.cap)}, hi{in_plane(spot.side)};
  for (int e = 0; e < Q.edge_count(); ++e) {
    const auto& ends = Q.edge(e);
    if (ends[0] != v && ends[1] != v) continue;
    const Vector3d along = vertex(ends[0] == v ? ends[1] : ends[0]) - q;
    if (!clip_arc(in_plane(along), e, lo, hi)) return;
  }
  for (const ArcEnd* end : {&lo, &hi}) {
    const Vector3d n = end->n.x() * radial + end->n.y() * axial;
    const double gap = n.dot(spot.d) - Q.rounding();
    if (end->edge < 0) {
      const NamedFeature part = end == &lo ? cap_feature(P, cap) : side_feature(P);
      visit({part, point_feature(Q.vertex(v), FeatureClass::vertex, v, Q.rounding()), 1.0, gap, n});
      continue;
    }
    const auto& ends = Q.edge(end->edge);
    const Vector3d tangent(-radial.y(), radial.x(), 0.0);
    const double sign = tangent.cross(vertex(ends[1]) - vertex(ends[0])).dot(n) > 0.0 ? 1.0 : -1.0;
    NamedFeature rim =
        rim_feature(cap_height(P, cap), P.radius, cap, std::atan2(radial.y(), radial.x()));
    rim.name = crossing_rim_name(cap, sign);
    visit({rim, edge_feature(Q, end->edge), sign, gap, n});
  }
}

template <typename Round>
GjkResult RoundPair<Round>::core_search(double scale) const {
  Vector3d centre = Vector3d::Zero();
  for (int v = 0; v < Q.vertex_count(); ++v) centre += Q.vertex(v);
  centre /= Q.vertex_count();
  const auto support_p = [&](const Vector3d& n) {
    return SupportPoint{scale * support_point(P, n), -1};
  };
  const auto support_q = [&](const Vector3d& n) {
    const int i = Q.support(X_PQ.R.transpose() * n);
    return SupportPoint{X_PQ * (centre + scale * (Q.vertex(i) - centre)), i};
  };
  return gjk(support_p, support_q, X_PQ.p.norm() > 0.0 ? X_PQ.p : Vector3d(1.0, 0.0, 0.0),
             std::max(size, X_PQ.p.norm()));
}

}  // namespace

void find_convex_contacts(const Cylinder& P, const Polytope& Q, const ContactSink& sink) {
  const Pose X_PQ = relative_pose(sink.X_WP, sink.X_WQ);
  find_meetings(RoundPair<Cylinder>(P, Q, X_PQ, sink.rim_points()), sink);
}
void find_convex_contacts(const Cone& P, const Polytope& Q, const ContactSink& sink) {
  const Pose X_PQ = relative_pose(sink.X_WP, sink.X_WQ);
  find_meetings(RoundPair<Cone>(P, Q, X_PQ, sink.rim_points()), sink);
}

double convex_distance(const Cylinder& P, const Polytope& Q, const Pose& X_PQ, double range) {
  return certified_bounds(RoundPair<Cylinder>(P, Q, X_PQ), range).lower;
}
double convex_distance(const Cone& P, const Polytope& Q, const Pose& X_PQ, double range) {
  return certified_bounds(RoundPair<Cone>(P, Q, X_PQ), range).lower;
}

}  // namespace pequod
