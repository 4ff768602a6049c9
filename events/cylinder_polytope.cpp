#include <algorithm>
#include <cmath>

#include "events/certified_bounds.h"
#include "events/convex_contacts.h"
#include "events/convex_distance.h"
#include "events/cylinder_features.h"
#include "events/polytope_queries.h"

namespace pequod {
namespace {

constexpr double kMerge = 1e-9;  // of the size, outside a face's border

struct CylinderPair {
  const Cylinder& P;
  const Polytope& Q;
  Pose X_PQ;
  double size;

  CylinderPair(const Cylinder& cylinder, const Polytope& polytope, const Pose& X)
      : P(cylinder), Q(polytope), X_PQ(X), size(pair_size(Q, Q)) {
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
};

NamedFeature edge_feature(const Polytope& Q, int e) {
  const Vector3d& from = Q.vertex(Q.edge(e)[0]);
  return line_feature(from, (Q.vertex(Q.edge(e)[1]) - from).normalized(), FeatureClass::edge, e,
                      Q.rounding());
}

template <typename Visit>
void visit_rims_on_faces(const CylinderPair& pair, const Window& window, Visit visit) {
  const Pose X_QP = pair.X_PQ.inverse();
  for (int f = 0; f < pair.Q.face_count(); ++f) {
    const Vector3d n = -(pair.X_PQ.R * pair.Q.normal(f));
    if (!window.aligned(n)) continue;
    const NamedFeature face =
        face_feature(pair.Q.vertex(pair.Q.face_vertices(f)[0]), pair.Q.normal(f), f);
    for (int cap = 0; cap < 2; ++cap) {
      rim_candidates(pair.P, cap, n, [&](const NamedFeature& rim) {
        const Vector3d p_Q = X_QP * feature_point(rim.feature);
        if (!is_over_face(pair.Q, f, p_Q, kMerge * pair.size)) return;
        visit({rim, face, 1.0, pair.Q.normal(f).dot(p_Q) - pair.Q.offset(f), n});
      });
    }
  }
}

template <typename Visit>
void visit_edge(const CylinderPair& pair, const Window& window, int e, Visit visit) {
  const Vector3d from = pair.vertex(pair.Q.edge(e)[0]), to = pair.vertex(pair.Q.edge(e)[1]);
  const Vector3d half(0.0, 0.0, 0.5 * pair.P.length);
  const EdgeCrossing crossing = cross_edges(-half, half, from, to);
  for (const double sign : {1.0, -1.0}) {
    const Vector3d n = sign * crossing.normal;
    if (!crossing.interior || !window.aligned(n) || !pair.is_normal_of_edge(e, n)) continue;
    const double gap = n.dot(crossing.on_second - crossing.on_first) - pair.P.radius;
    visit({side_feature(pair.P), edge_feature(pair.Q, e), sign, gap - pair.Q.rounding(), n});
  }
  for (int cap = 0; cap < 2; ++cap) {
    RimCrossing found[4];
    const int count = cross_rim(pair.P, cap, from, to, found);
    for (int k = 0; k < count; ++k) {
      const Vector3d& n = found[k].normal;
      if (!window.aligned(n) || !pair.is_normal_of_edge(e, n)) continue;
      visit({found[k].rim, edge_feature(pair.Q, e), found[k].sign, found[k].gap - pair.Q.rounding(),
             n});
    }
  }
}

template <typename Visit>
void CylinderPair::visit_meetings(const Window& window, Visit visit) const {
  const CylinderPair& pair = *this;
  visit_rims_on_faces(pair, window, visit);
  for (int v = 0; v < pair.Q.vertex_count(); ++v) {
    const Vector3d q = pair.vertex(v);
    if (!window.sees(q)) continue;
    const CylinderPart part = nearest_part(pair.P, q);
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

GjkResult CylinderPair::core_search(double scale) const {
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
  find_meetings(CylinderPair(P, Q, relative_pose(sink.X_WP, sink.X_WQ)), sink);
}

void find_convex_contacts(const Polytope& P, const Cylinder& Q, const ContactSink& sink) {
  find_convex_contacts(
      Q, P,
      {sink.X_WQ, sink.X_WP, sink.shape_a, sink.shape_b, !sink.swapped, sink.range, sink.out});
}

double convex_distance(const Cylinder& P, const Polytope& Q, const Pose& X_PQ) {
  return certified_bounds(CylinderPair(P, Q, X_PQ)).lower;
}

double convex_distance(const Polytope& P, const Cylinder& Q, const Pose& X_PQ) {
  return convex_distance(Q, P, X_PQ.inverse());
}

}  // namespace pequod
