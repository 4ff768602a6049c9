#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "events/convex_contacts.h"
#include "events/convex_distance.h"
#include "events/cylinder_features.h"
#include "events/gjk.h"
#include "events/polytope_queries.h"

namespace pequod {
namespace {

constexpr double kCertificate = 1e-12;  // of the size: both bounds of an accepted distance agree
constexpr double kUncertified = 1e-8;   // of the size: what GJK alone reaches on rims
constexpr double kAligned = 0.5;        // cosine: features that lean more belong to another patch
constexpr double kMerge = 1e-9;         // of the size, outside a face's border

/// Two features that may touch, P the cylinder, all in its frame.
struct FeatureMeeting {
  NamedFeature p, q;
  double sign = 1.0;
  double gap = kNaN;  ///< m, of the surfaces
  Vector3d normal;    ///< unit, from P to Q
};

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
  [[nodiscard]] double extent(const Vector3d& n) const {
    return P.radius * std::hypot(n.x(), n.y()) + 0.5 * P.length * std::abs(n.z());
  }
  /// Of the surfaces along a unit normal.
  [[nodiscard]] double separation(const Vector3d& n) const {
    const Vector3d n_Q = X_PQ.R.transpose() * n;
    return n_Q.dot(Q.vertex(Q.support(-n_Q))) + n.dot(X_PQ.p) - extent(n) - Q.rounding();
  }
  [[nodiscard]] bool is_normal_of_edge(int e, const Vector3d& n) const {
    return is_edge_normal(Q, e, -(X_PQ.R.transpose() * n));
  }
};

/// Which features of Q are looked at: those within `slab` of Q's extreme along n.
struct Window {
  Vector3d n = Vector3d::Zero();  ///< from P to Q, P's frame; zero for all features
  double q_max = kInfinity;

  Window() = default;
  Window(const CylinderPair& pair, const Vector3d& normal, double slab) : n(normal) {
    const Vector3d n_Q = pair.X_PQ.R.transpose() * n;
    q_max = n.dot(pair.vertex(pair.Q.support(-n_Q))) + slab;
  }
  [[nodiscard]] bool sees(const Vector3d& q) const { return n.dot(q) <= q_max; }
  [[nodiscard]] bool aligned(const Vector3d& normal) const {
    return n.isZero(0.0) || n.dot(normal) >= kAligned;
  }
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
void visit_meetings(const CylinderPair& pair, const Window& window, Visit visit) {
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

/// Lower bound: the best normal. Upper bound: the nearest pair of points.
struct Bounds {
  double lower = -kInfinity, upper = kInfinity;
  Vector3d normal = Vector3d::UnitZ();

  void raise(const CylinderPair& pair, const Vector3d& n) {
    const double s = pair.separation(n);
    if (s <= lower) return;
    lower = s;
    normal = n;
  }
};

void bound(const CylinderPair& pair, const Window& window, Bounds& bounds) {
  for (const double side : {-1.0, 1.0}) {
    if (window.aligned(side * Vector3d::UnitZ())) bounds.raise(pair, side * Vector3d::UnitZ());
  }
  for (int f = 0; f < pair.Q.face_count(); ++f) {
    const Vector3d n = -(pair.X_PQ.R * pair.Q.normal(f));
    if (window.aligned(n)) bounds.raise(pair, n);
  }
  visit_meetings(pair, window, [&](const FeatureMeeting& meeting) {
    bounds.upper = std::min(bounds.upper, meeting.gap);
    bounds.raise(pair, meeting.normal);
  });
}

/// @param scale  shrinks both bodies about their centres
GjkResult search_separated(const CylinderPair& pair, double scale) {
  Vector3d centre = Vector3d::Zero();
  for (int v = 0; v < pair.Q.vertex_count(); ++v) centre += pair.Q.vertex(v);
  centre /= pair.Q.vertex_count();
  const auto support_p = [&](const Vector3d& n) {
    const double across = std::hypot(n.x(), n.y());
    const double r = across > 0.0 ? scale * pair.P.radius / across : 0.0;
    const double z = (n.z() > 0.0 ? 0.5 : -0.5) * scale * pair.P.length;
    return SupportPoint{{r * n.x(), r * n.y(), z}, -1};
  };
  const auto support_q = [&](const Vector3d& n) {
    const int i = pair.Q.support(pair.X_PQ.R.transpose() * n);
    return SupportPoint{pair.X_PQ * (centre + scale * (pair.Q.vertex(i) - centre)), i};
  };
  const Vector3d start = pair.X_PQ.p.norm() > 0.0 ? pair.X_PQ.p : Vector3d(1.0, 0.0, 0.0);
  return gjk(support_p, support_q, start, pair.size);
}

/// Signed distance of the surfaces and its normal. Curved features converge slowly in GJK, so it
/// only says where to look; exact feature normals near there give the number.
Bounds certified_bounds(const CylinderPair& pair) {
  const double tolerance = kCertificate * pair.size;
  Bounds bounds;
  const GjkResult found = search_separated(pair, 1.0);
  const double nearest =
      found.overlap ? 0.0 : (found.on_q() - found.on_p()).norm() - pair.Q.rounding();
  if (!found.overlap && found.v.norm() > 0.0) {
    bounds.upper = nearest;
    bounds.raise(pair, found.v.normalized());
    bound(pair, Window(pair, found.v.normalized(), 1e-3 * pair.size), bounds);
    if (bounds.upper - bounds.lower <= tolerance) return bounds;
  } else {
    // Shrunk by 0.4 %, bodies that only touch are apart and their features are found there.
    const GjkResult shrunk = search_separated(pair, 0.996);
    if (!shrunk.overlap && shrunk.v.norm() > 0.0) {
      bound(pair, Window(pair, shrunk.v.normalized(), 0.05 * pair.size), bounds);
      if (std::abs(bounds.lower) <= 1e-6 * pair.size &&
          std::abs(bounds.upper - bounds.lower) <= tolerance) {
        return bounds;
      }
    }
  }
  bound(pair, Window(), bounds);
  // Overlapping bodies have no nearest points: the best normal is the answer.
  if (bounds.lower <= tolerance || bounds.upper - bounds.lower <= tolerance) return bounds;
  // A rim parallel to an edge in one plane has no crossing: GJK's own bound has to do.
  if (bounds.upper - bounds.lower <= kUncertified * pair.size) return bounds;
  throw std::runtime_error("distance of a cylinder not certified: between " +
                           std::to_string(bounds.lower) + " and " + std::to_string(bounds.upper) +
                           " m");
}

}  // namespace

void find_convex_contacts(const Cylinder& P, const Polytope& Q, const ContactSink& sink) {
  const CylinderPair pair(P, Q, relative_pose(sink.X_WP, sink.X_WQ));
  const Bounds bounds = certified_bounds(pair);
  if (bounds.lower > sink.range) return;
  const Window window(pair, bounds.normal, sink.range - bounds.lower + kMerge * pair.size);
  const Vector3d n_W = sink.X_WP.R * bounds.normal;
  visit_meetings(pair, window, [&](const FeatureMeeting& meeting) {
    if (meeting.gap <= sink.range) sink.add(meeting.p, meeting.q, meeting.sign, n_W);
  });
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
