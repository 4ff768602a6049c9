#include <algorithm>
#include <cmath>

#include "events/cylinder_features.h"
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

NamedFeature plane_feature() { return face_feature(Vector3d::Zero(), Vector3d::UnitZ(), 0); }

}  // namespace

void find_plane_contacts(const Polytope& P, const ContactSink& sink) {
  const Height height(sink.X_WP, sink.X_WQ);
  for (int i = 0; i < P.vertex_count(); ++i) {
    if (height(P.vertex(i)) - P.rounding() > sink.range) continue;
    sink.add(point_feature(P.vertex(i), FeatureClass::vertex, i, P.rounding()), plane_feature());
  }
}

void find_plane_contacts(const Cylinder& P, const ContactSink& sink) {
  const Height height(sink.X_WP, sink.X_WQ);
  const double slope = std::hypot(height.n.x(), height.n.y());
  for (int cap = 0; cap < 2; ++cap) {
    const double z = (cap == 0 ? -0.5 : 0.5) * P.length;
    if (height.h + height.n.z() * z - P.radius * slope > sink.range) continue;
    rim_candidates(P, cap, -height.n,
                   [&](const NamedFeature& feature) { sink.add(feature, plane_feature()); });
  }
}

double plane_distance(const Polytope& P, const Pose& X_PQ) {
  const Vector3d n = X_PQ.R.col(2);
  return n.dot(P.vertex(P.support(-n)) - X_PQ.p) - P.rounding();
}

double plane_distance(const Cylinder& P, const Pose& X_PQ) {
  const Vector3d n = X_PQ.R.col(2);
  return -n.dot(X_PQ.p) - 0.5 * P.length * std::abs(n.z()) - P.radius * std::hypot(n.x(), n.y());
}

}  // namespace pequod
