#include <algorithm>
#include <cmath>

#include "events/certified_bounds.h"
#include "events/cone_features.h"
#include "events/convex_contacts.h"
#include "events/polytope_queries.h"
#include "events/tolerances.h"

namespace pequod {
namespace {

/// Two cylinders or cones.
template <typename RoundP, typename RoundQ>
struct RoundsPair {
  const RoundP& P;
  const RoundQ& Q;
  Pose X_PQ;
  RimPoints named_p, named_q;
  double size;

  RoundsPair(const RoundP& p, const RoundQ& q, const Pose& X, const RimPoints& rim_p = {},
             const RimPoints& rim_q = {})
      : P(p),
        Q(q),
        X_PQ(X),
        named_p(rim_p),
        named_q(rim_q),
        size(std::max(std::hypot(p.radius, 0.5 * p.length), std::hypot(q.radius, 0.5 * q.length))) {
  }

  [[nodiscard]] static double rounding() { return 0.0; }
  [[nodiscard]] double separation(const Vector3d& n) const {
    return n.dot(X_PQ.p) - extent(Q, -(X_PQ.R.transpose() * n)) - extent(P, n);
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
    for (int cap = 0; cap < 2; ++cap) {
      if (cap < cap_count(P)) visit(cap_feature(P, cap).feature.a);
      const int other = cap_count(Q) - 1 - cap;
      if (other >= 0) visit(Vector3d(-(X_PQ.R * cap_feature(Q, other).feature.a)));
    }
  }
  template <typename Visit>
  void visit_meetings(const Window& window, Visit visit) const;
  template <typename Visit>
  void visit_vertices_on_rims(Visit visit) const;
};

/// A rim of A across the side of B, in A's frame: visit(rim, sign, gap, n from A to B).
template <typename Round, typename Visit>
void cross_rim_and_side(const Round& A, int cap, const Cylinder& B, const Pose& X_AB, Visit visit) {
  const Vector3d half = 0.5 * B.length * X_AB.R.col(2);
  RimCrossing found[4];
  const int count = cross_rim(A, cap, X_AB.p - half, X_AB.p + half, B.radius, found);
  for (int k = 0; k < count; ++k)
    visit(found[k].rim, found[k].sign, found[k].gap - B.radius, found[k].normal);
}

constexpr int kStarts = 8;  // around a rim

template <typename Round, typename Visit>
void cross_rim_and_side(const Round& A, int cap, const Cone& B, const Pose& X_AB, Visit visit) {
  Vector3d seen[kStarts];
  int count = 0;
  for (int k = 0; k < kStarts; ++k) {
    ContactPoint probe;
    NamedFeature rim = rim_feature(cap_height(A, cap), A.radius, cap, k * (2.0 * M_PI / kStarts));
    probe.feature.A = side_feature(B).feature;
    probe.feature.B = rim.feature;
    follow(probe, X_AB, {});
    rim.feature.parameter = probe.feature.B.parameter;
    const double theta = rim.feature.parameter;
    const Vector3d radial(std::cos(theta), std::sin(theta), 0.0), n = -probe.n_W;
    const Vector3d tangent(-radial.y(), radial.x(), 0.0);
    if (!is_on_side(B, probe.feature.A.parameter) || std::abs(n.dot(tangent)) > 1e-9) continue;
    if (n.dot(radial) < -kNormalSlack || n.dot(into_side(A, cap, radial)) > kNormalSlack) continue;
    const Vector3d x = feature_point(rim.feature);
    const bool again = std::any_of(seen, seen + count, [&](const Vector3d& other) {
      return (other - x).norm() < 1e-6 * A.radius;
    });
    if (again) continue;
    seen[count++] = x;
    rim.name = crossing_rim_name(cap, tangent.cross(X_AB.R.col(2)).dot(n));
    visit(rim, 1.0, probe.gap, n);
  }
}

/// Rims of A on the caps of B and across its side, and tips, in A's frame: visit(feature of A,
/// feature of B, sign, gap, n from A to B).
template <typename RoundA, typename RoundB, typename Visit>
void visit_rims(const RoundA& A, const RoundB& B, const Pose& X_AB, const RimPoints& named,
                double slack, Visit visit) {
  const Pose X_BA = X_AB.inverse();
  for (int cap = 0; cap < cap_count(A); ++cap) {
    for (int other = 0; other < cap_count(B); ++other) {
      const NamedFeature face = cap_feature(B, other);
      const Vector3d n = -(X_AB.R * face.feature.a);
      rim_candidates(A, cap, n, named, [&](const NamedFeature& rim) {
        const Vector3d p_B = X_BA * feature_point(rim.feature);
        if (std::hypot(p_B.x(), p_B.y()) > B.radius + slack) return;
        visit(rim, face, 1.0, face.feature.a.dot(p_B - face.feature.p), n);
      });
    }
    cross_rim_and_side(A, cap, B, X_AB,
                       [&](const NamedFeature& rim, double sign, double gap, const Vector3d& n) {
                         visit(rim, side_feature(B), sign, gap, n);
                       });
  }
  visit_tips(A, [&](const NamedFeature& tip) {
    const RoundPart part = nearest_part(B, X_BA * tip.feature.p);
    visit(tip, part.feature, 1.0, part.distance, Vector3d(-(X_AB.R * part.normal)));
  });
}

/// Where the sides of both are tangent to one plane, in P's frame: visit(sign, gap, n).
template <typename Visit>
void cross_sides(const Cylinder& P, const Cylinder& Q, const Pose& X_PQ, Visit visit) {
  const Vector3d half_p(0.0, 0.0, 0.5 * P.length), half_q = 0.5 * Q.length * X_PQ.R.col(2);
  const EdgeCrossing crossing = cross_edges(-half_p, half_p, X_PQ.p - half_q, X_PQ.p + half_q);
  if (!crossing.interior) return;
  const Vector3d d = crossing.on_second - crossing.on_first;
  const double sign = crossing.normal.dot(d) < 0.0 ? -1.0 : 1.0;
  visit(sign, sign * crossing.normal.dot(d) - P.radius - Q.radius,
        Vector3d(sign * crossing.normal));
}

template <typename Round, typename Visit>
void cross_sides(const Cone& P, const Round& Q, const Pose& X_PQ, Visit visit) {
  for (const double sign : {1.0, -1.0}) {
    ContactPoint probe;
    probe.feature.A = side_feature(P).feature;
    probe.feature.B = side_feature(Q).feature;
    probe.feature.sign = sign;
    follow(probe, {}, X_PQ);
    const Feature &A = probe.feature.A, &B = probe.feature.B;
    if (!is_on_side(P, A.parameter) || !is_on_side(Q, B.parameter)) continue;
    const Vector3d& n = probe.n_W;
    const double core =
        probe.gap + A.rounding - A.taper * A.parameter + B.rounding - B.taper * B.parameter;
    if (core <= 0.0 || std::abs(n.z() - A.taper) > 1e-9 ||
        std::abs(n.dot(X_PQ.R.col(2)) + B.taper) > 1e-9)
      continue;
    visit(sign, probe.gap, n);
  }
}

/// Rim against rim, both outside; from eight starts around the first.
template <typename Pair, typename Visit>
void visit_rim_pair(const Pair& pair, int cap_p, int cap_q, Visit visit) {
  const Pose X_QP = pair.X_PQ.inverse();
  const double tilt = std::hypot(pair.X_PQ.R(0, 2), pair.X_PQ.R(1, 2));
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
    const Vector3d radial_p = Vector3d(x_p.x(), x_p.y(), 0.0) / pair.P.radius;
    const Vector3d inward_p = into_side(pair.P, cap_p, radial_p);
    if (n.dot(radial_p) - n.dot(inward_p) < 0.0) {
      n = -n;
      sign = -1.0;
    }
    const Vector3d local_q = feature_point(q.feature);
    const Vector3d radial_q = Vector3d(local_q.x(), local_q.y(), 0.0) / pair.Q.radius;
    const Vector3d n_Q = pair.X_PQ.R.transpose() * n;
    if (n.dot(radial_p) < -kNormalSlack || n.dot(inward_p) > kNormalSlack) continue;
    if (n_Q.dot(radial_q) > kNormalSlack) continue;
    if (n_Q.dot(into_side(pair.Q, cap_q, radial_q)) < -kNormalSlack) continue;
    const bool again = std::any_of(seen, seen + count, [&](const Vector3d& other) {
      return (other - x_p).norm() < 1e-6 * pair.size;
    });
    if (again) continue;
    seen[count++] = x_p;
    p.name = crossing_rim_name(cap_p, sign);
    const double sine = rim_tangent(p.feature).cross(pair.X_PQ.R * rim_tangent(q.feature)).norm();
    visit(FeatureMeeting{p, q, sign, n.dot(d), n, !is_short_chord(sine, tilt)});
  }
}

/// Two discs on each other that overlap in a narrow lens: the point of Q's rim in its middle stands
/// for both ends. One of the four fixed points is there anyway.
template <typename Pair, typename Visit>
void visit_short_lens(const Pair& pair, int cap_p, int cap_q, Visit visit) {
  const NamedFeature face = cap_feature(pair.P, cap_p);
  const Vector3d n = face.feature.a;
  if ((pair.X_PQ.R * cap_feature(pair.Q, cap_q).feature.a).dot(n) >= 0.0) return;
  const Vector3d centre_Q = -(pair.X_PQ.R.transpose() * pair.X_PQ.p);  // of P
  const int step = rim_step(centre_Q);
  if (step % (kRimSteps / kRimPoints) == 0) return;
  const NamedFeature point = rim_point(pair.Q, cap_q * kRimSteps + step);
  const Vector3d x = pair.X_PQ * point.feature.p;
  const double depth = 1.0 - std::hypot(x.x(), x.y()) / pair.P.radius;  // of the radius
  const double tilt = std::hypot(pair.X_PQ.R(0, 2), pair.X_PQ.R(1, 2));
  // At the ends of the lens both rims meet at an angle of √(2 depth (1 + r_P/r_Q)).
  const double square = 2.0 * depth * (1.0 + pair.P.radius / pair.Q.radius) + tilt * tilt;
  if (depth < 0.0 || !is_short_chord(std::sqrt(square), tilt)) return;
  visit(FeatureMeeting{face, point, 1.0, n.dot(x - face.feature.p), n});
}

template <typename RoundP, typename RoundQ>
template <typename Visit>
void RoundsPair<RoundP, RoundQ>::visit_meetings(const Window& window, Visit visit) const {
  const auto keep = [&](const FeatureMeeting& meeting) {
    if (window.aligned(meeting.normal)) visit(meeting);
  };
  visit_rims(P, Q, X_PQ, named_p, kMerge * size,
             [&](const NamedFeature& rim, const NamedFeature& other, double sign, double gap,
                 const Vector3d& n) {
               keep({rim, other, sign, gap, n});
             });
  // In Q's frame n points from Q to P. With −n and the order turned, the sign stays.
  visit_rims(Q, P, X_PQ.inverse(), named_q, kMerge * size,
             [&](const NamedFeature& rim, const NamedFeature& other, double sign, double gap,
                 const Vector3d& n) {
               keep({other, rim, sign, gap, -(X_PQ.R * n)});
             });
  cross_sides(P, Q, X_PQ, [&](double sign, double gap, const Vector3d& n) {
    keep({side_feature(P), side_feature(Q), sign, gap, n});
  });
  for (int cap_p = 0; cap_p < cap_count(P); ++cap_p) {
    for (int cap_q = 0; cap_q < cap_count(Q); ++cap_q) {
      visit_rim_pair(*this, cap_p, cap_q, keep);
      visit_short_lens(*this, cap_p, cap_q, keep);
    }
  }
}

/// Tips of B on rims of A, in A's frame: visit(feature of A, tip, gap, n from A to B) with the
/// normals of cap and side if the tip has them too, else with the one along its axis.
template <typename RoundA, typename RoundB, typename Visit>
void visit_tips_on_rims(const RoundA& A, const RoundB& B, const Pose& X_AB, double size,
                        Visit visit) {
  visit_tips(B, [&](const NamedFeature& tip) {
    const Vector3d into = -X_AB.R.col(2);
    const double sine = side_feature(B).feature.taper;
    for (int cap = 0; cap < cap_count(A); ++cap) {
      const auto spot = spot_on_rim(A, cap, X_AB * tip.feature.p, size);
      if (!spot) continue;
      const bool on_cap = spot->cap.dot(into) >= sine, on_side = spot->side.dot(into) >= sine;
      if (on_cap) visit(cap_feature(A, cap), tip, spot->cap.dot(spot->d), spot->cap);
      if (on_side) visit(side_feature(A), tip, spot->side.dot(spot->d), spot->side);
      if (on_cap || on_side) continue;
      const Vector3d across = spot->radial.cross(Vector3d::UnitZ());
      const Vector3d n = (into - across * across.dot(into)).normalized();
      if (n.dot(into) < sine || n.dot(spot->radial) < 0.0) continue;
      visit(rim_feature(cap_height(A, cap), A.radius, cap,
                        std::atan2(spot->radial.y(), spot->radial.x())),
            tip, n.dot(spot->d), n);
    }
  });
}

template <typename RoundP, typename RoundQ>
template <typename Visit>
void RoundsPair<RoundP, RoundQ>::visit_vertices_on_rims(Visit visit) const {
  visit_tips_on_rims(
      P, Q, X_PQ, size,
      [&](const NamedFeature& part, const NamedFeature& tip, double gap, const Vector3d& n) {
        visit(FeatureMeeting{part, tip, 1.0, gap, n});
      });
  visit_tips_on_rims(
      Q, P, X_PQ.inverse(), size,
      [&](const NamedFeature& part, const NamedFeature& tip, double gap, const Vector3d& n) {
        visit(FeatureMeeting{tip, part, 1.0, gap, -(X_PQ.R * n)});
      });
}

template <typename RoundP, typename RoundQ>
void find_round_contacts(const RoundP& P, const RoundQ& Q, const ContactSink& sink) {
  find_meetings(RoundsPair<RoundP, RoundQ>(P, Q, relative_pose(sink.X_WP, sink.X_WQ),
                                           sink.rim_points(), sink.exchanged().rim_points()),
                sink);
}

}  // namespace

void find_convex_contacts(const Cylinder& P, const Cylinder& Q, const ContactSink& sink) {
  find_round_contacts(P, Q, sink);
}
void find_convex_contacts(const Cone& P, const Cylinder& Q, const ContactSink& sink) {
  find_round_contacts(P, Q, sink);
}
void find_convex_contacts(const Cone& P, const Cone& Q, const ContactSink& sink) {
  find_round_contacts(P, Q, sink);
}

double convex_distance(const Cylinder& P, const Cylinder& Q, const Pose& X_PQ, double range) {
  return certified_bounds(RoundsPair<Cylinder, Cylinder>(P, Q, X_PQ), range).lower;
}
double convex_distance(const Cone& P, const Cylinder& Q, const Pose& X_PQ, double range) {
  return certified_bounds(RoundsPair<Cone, Cylinder>(P, Q, X_PQ), range).lower;
}
double convex_distance(const Cone& P, const Cone& Q, const Pose& X_PQ, double range) {
  return certified_bounds(RoundsPair<Cone, Cone>(P, Q, X_PQ), range).lower;
}

}  // namespace pequod
