#include <cmath>

#include "events/cone_features.h"
#include "events/ground_contacts.h"

namespace pequod {
namespace {

/// Height over the plane z = 0 of Q as a function of P's coordinates: n·x + h.
struct Height {
  Vector3d n;
  double h;

  Height(const Pose& X_WP, const Pose& X_WQ)
      : n(X_WP.R.transpose() * X_WQ.R.col(2)), h(X_WQ.R.col(2).dot(X_WP.p - X_WQ.p)) {}
  double operator()(const Vector3d& p) const { return n.dot(p) + h; }
};

NamedFeature plane_feature() {
  NamedFeature plane = face_feature(Vector3d::Zero(), Vector3d::UnitZ(), 0);
  plane.feature.open = kAllSides;
  return plane;
}

/// What sink.add would do, without the detour: this is the commonest contact of all.
void add_vertex(const Vector3d& p, double rounding, double height, int index,
                const ContactSink& sink) {
  ContactPoint& contact =
      sink.append(feature_name(FeatureClass::vertex, index), feature_name(FeatureClass::face, 0));
  Feature& point = sink.swapped ? contact.feature.B : contact.feature.A;
  Feature& plane = sink.swapped ? contact.feature.A : contact.feature.B;
  point.p = p;
  point.rounding = rounding;
  plane.kind = FeatureKind::face;
  plane.a = Vector3d::UnitZ();
  plane.open = kAllSides;
  const Vector3d up = sink.X_WQ.R.col(2);
  contact.gap = height - rounding;
  contact.n_W = sink.swapped ? up : Vector3d(-up);
  contact.p_W = sink.X_WP * p - (is_ball(point) ? rounding : height) * up;
}

}  // namespace

void find_plane_contacts(const Polytope& P, const ContactSink& sink) {
  const Height height(sink.X_WP, sink.X_WQ);
  for (int i = 0; i < P.vertex_count(); ++i) {
    const double h = height(P.vertex(i));
    if (h - P.rounding() <= sink.range) add_vertex(P.vertex(i), P.rounding(), h, i, sink);
  }
}

void find_plane_contacts(const MeshView& P, const ContactSink& sink) {
  const Height height(sink.X_WP, sink.X_WQ);
  const auto low = [&](const Vector3d& lo, const Vector3d& hi) {
    return height((height.n.array() > 0.0).select(lo, hi)) <= sink.range;
  };
  thread_local MeshFeatures near;  // storage only: written before it is read
  near.collect(P.mesh(), low);
  for (const int v : near.corners) {
    const double h = height(P.vertex(v));
    if (h <= sink.range) add_vertex(P.vertex(v), 0.0, h, v, sink);
  }
}

void find_plane_contacts(const Cylinder& P, const ContactSink& sink) {
  const Height height(sink.X_WP, sink.X_WQ);
  const double slope = std::hypot(height.n.x(), height.n.y());
  for (int cap = 0; cap < 2; ++cap) {
    const double z = (cap == 0 ? -0.5 : 0.5) * P.length;
    if (height.h + height.n.z() * z - P.radius * slope > sink.range) continue;
    rim_candidates(P, cap, -height.n, sink.rim_points(),
                   [&](const NamedFeature& feature) { sink.add(feature, plane_feature()); });
  }
}

void find_plane_contacts(const Cone& P, const ContactSink& sink) {
  const Height height(sink.X_WP, sink.X_WQ);
  visit_extremes(P, -height.n, sink.rim_points(),
                 [&](const NamedFeature& feature) { sink.add(feature, plane_feature()); });
}

double plane_distance(const Polytope& P, const Pose& X_PQ) {
  const Vector3d n = X_PQ.R.col(2);
  return n.dot(P.vertex(P.support(-n)) - X_PQ.p) - P.rounding();
}

double plane_distance(const MeshView& P, const Pose& X_PQ) {
  const Vector3d n = X_PQ.R.col(2);
  return n.dot(P.vertex(P.support(-n)) - X_PQ.p);
}

double plane_distance(const Cylinder& P, const Pose& X_PQ) {
  const Vector3d n = X_PQ.R.col(2);
  return -n.dot(X_PQ.p) - 0.5 * P.length * std::abs(n.z()) - P.radius * std::hypot(n.x(), n.y());
}

double plane_distance(const Cone& P, const Pose& X_PQ) {
  const Vector3d n = X_PQ.R.col(2);
  return -n.dot(X_PQ.p) - extent(P, -n);
}

}  // namespace pequod
