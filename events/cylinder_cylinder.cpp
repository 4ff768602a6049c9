#include <algorithm>
#include <cmath>

#include "events/certified_bounds.h"
#include "events/convex_contacts.h"
#include "events/cylinder_features.h"
#include "events/polytope_queries.h"

namespace pequod {
namespace {

constexpr double kMerge = 1e-9;  // of the size, outside a cap's border
// Sine of an angle; it only selects features.
constexpr double kNormalSlack = 1e-3;

struct CylindersPair {
  const Cylinder& P;
  const Cylinder& Q;
  Pose X_PQ;
  double size;

  CylindersPair(const Cylinder& p, const Cylinder& q, const Pose& X)
      : P(p),
        Q(q),
        X_PQ(X),
        size(std::max(std::hypot(p.radius, 0.5 * p.length), std::hypot(q.radius, 0.5 * q.length))) {
  }

  [[nodiscard]] static double rounding() { return 0.0; }
  [[nodiscard]] double separation(const Vector3d& n) const {
    return n.dot(X_PQ.p) - extent(Q, X_PQ.R.transpose() * n) - extent(P, n);
  }
  [[nodiscard]] static Window window(const Vector3d& n, double) { return {n, kInfinity}; }
  [[nodiscard]] GjkResult core_search(double scale) const {
    const auto support_p = [&](const Vector3d& n) {
      return SupportPoint{scale * support_point(P, n), -1};
    };
    const auto support_q = [&](const Vector3d& n) {
      return SupportPoint{X_PQ * (scale * support_point(Q, X_PQ.R.transpose() * n)), -1};
    };
    return gjk(support_p, support_q, X_PQ.p.norm() > 0.0 ? X_PQ.p : Vector3d(1.0, 0.0, 0.0),
               std::max(size, X_PQ.p.norm()));
  }
  template <typename Visit>
  void visit_face_normals(Visit visit) const {
    for (const double side : {-1.0, 1.0}) {
      visit(side * Vector3d::UnitZ());
      visit(side * X_PQ.R.col(2));
    }
  }
  template <typename Visit>
  void visit_meetings(const Window& window, Visit visit) const;
};

/// Rims of A on the caps of B and across its side, in A's frame: visit(cap of A's rim, rim, feature
/// of B, sign, gap, n from A to B).
template <typename Visit>
void visit_rims(const Cylinder& A, const Cylinder& B, const Pose& X_AB, double slack, Visit visit) {
  const Pose X_BA = X_AB.inverse();
  const Vector3d half = 0.5 * B.length * X_AB.R.col(2);
  for (int cap = 0; cap < 2; ++cap) {
    for (int other = 0; other < 2; ++other) {
      const NamedFeature face = cap_feature(B, other);
      const Vector3d n = -(X_AB.R * face.feature.a);
      rim_candidates(A, cap, n, [&](const NamedFeature& rim) {
        const Vector3d p_B = X_BA * feature_point(rim.feature);
        if (std::hypot(p_B.x(), p_B.y()) > B.radius + slack) return;
        visit(rim, face, 1.0, face.feature.a.dot(p_B - face.feature.p), n);
      });
    }
    RimCrossing found[4];
    const int count = cross_rim(A, cap, X_AB.p - half, X_AB.p + half, found);
    for (int k = 0; k < count; ++k) {
      visit(found[k].rim, side_feature(B), found[k].sign, found[k].gap - B.radius, found[k].normal);
    }
  }
}

/// Rim against rim, both outside; from eight starts around the first.
template <typename Visit>
void visit_rim_pair(const CylindersPair& pair, int cap_p, int cap_q, Visit visit) {
  constexpr int kStarts = 8;
  const Pose X_QP = pair.X_PQ.inverse();
  Vector3d seen[kStarts];
  int count = 0;
  for (int k = 0; k < kStarts; ++k) {
    ContactPoint probe;
    NamedFeature p =
        rim_feature(cap_height(pair.P, cap_p), pair.P.radius, cap_p, k * (2.0 * M_PI / kStarts));
    NamedFeature q = rim_feature(cap_height(pair.Q, cap_q), pair.Q.radius, cap_q);
    const Vector3d start = X_QP * feature_point(p.feature);
    q.feature.parameter = std::atan2(start.y(), start.x());
    probe.feature.A = p.feature;
    probe.feature.B = q.feature;
    follow(probe, {}, pair.X_PQ);
    p.feature.parameter = probe.feature.A.parameter;
    q.feature.parameter = probe.feature.B.parameter;
    const Vector3d x_p = feature_point(p.feature), x_q = pair.X_PQ * feature_point(q.feature);
    const Vector3d d = x_q - x_p;
    Vector3d n = probe.n_W;
    if ((d - n * n.dot(d)).norm() > 1e-9 * (pair.size + d.norm())) continue;
    double sign = 1.0;
    const Vector3d axial_p = cap_p == 0 ? Vector3d(0, 0, -1) : Vector3d(0, 0, 1);
    const Vector3d radial_p = Vector3d(x_p.x(), x_p.y(), 0.0) / pair.P.radius;
    if (n.dot(axial_p) + n.dot(radial_p) < 0.0) {
      n = -n;
      sign = -1.0;
    }
    const Vector3d axial_q = pair.X_PQ.R * (cap_q == 0 ? Vector3d(0, 0, -1) : Vector3d(0, 0, 1));
    const Vector3d local_q = feature_point(q.feature);
    const Vector3d radial_q = pair.X_PQ.R * Vector3d(local_q.x(), local_q.y(), 0.0) / pair.Q.radius;
    if (std::min(n.dot(axial_p), n.dot(radial_p)) < -kNormalSlack) continue;
    if (std::max(n.dot(axial_q), n.dot(radial_q)) > kNormalSlack) continue;
    const bool again = std::any_of(seen, seen + count, [&](const Vector3d& other) {
      return (other - x_p).norm() < 1e-6 * pair.size;
    });
    if (again) continue;
    seen[count++] = x_p;
    visit({p, q, sign, n.dot(d), n});
  }
}

template <typename Visit>
void CylindersPair::visit_meetings(const Window& window, Visit visit) const {
  const auto keep = [&](const FeatureMeeting& meeting) {
    if (window.aligned(meeting.normal)) visit(meeting);
  };
  visit_rims(P, Q, X_PQ, kMerge * size,
             [&](const NamedFeature& rim, const NamedFeature& other, double sign, double gap,
                 const Vector3d& n) {
               keep({rim, other, sign, gap, n});
             });
  // In Q's frame n points from Q to P. With −n and the order turned, the sign stays.
  visit_rims(Q, P, X_PQ.inverse(), kMerge * size,
             [&](const NamedFeature& rim, const NamedFeature& other, double sign, double gap,
                 const Vector3d& n) {
               keep({other, rim, sign, gap, -(X_PQ.R * n)});
             });
  const Vector3d half_p(0.0, 0.0, 0.5 * P.length), half_q = 0.5 * Q.length * X_PQ.R.col(2);
  const EdgeCrossing crossing = cross_edges(-half_p, half_p, X_PQ.p - half_q, X_PQ.p + half_q);
  if (crossing.interior) {
    const Vector3d d = crossing.on_second - crossing.on_first;
    const double sign = crossing.normal.dot(d) < 0.0 ? -1.0 : 1.0;
    keep({side_feature(P), side_feature(Q), sign,
          sign * crossing.normal.dot(d) - P.radius - Q.radius, sign * crossing.normal});
  }
  for (int cap_p = 0; cap_p < 2; ++cap_p) {
    for (int cap_q = 0; cap_q < 2; ++cap_q) visit_rim_pair(*this, cap_p, cap_q, keep);
  }
}

}  // namespace

void find_convex_contacts(const Cylinder& P, const Cylinder& Q, const ContactSink& sink) {
  find_meetings(CylindersPair(P, Q, relative_pose(sink.X_WP, sink.X_WQ)), sink);
}

double convex_distance(const Cylinder& P, const Cylinder& Q, const Pose& X_PQ) {
  return certified_bounds(CylindersPair(P, Q, X_PQ)).lower;
}

}  // namespace pequod
