#include <algorithm>
#include <cmath>

#include "events/ground_contacts.h"

namespace pequod {
namespace {

/// The finder with a growing range: the first range that finds anything holds the nearest feature.
template <typename Body>
double grow_range(const Body& P, const HeightField& Q, const Pose& X_WP, const Pose& X_WQ,
                  double start, double limit) {
  std::vector<ContactPoint> found;
  for (double range = start; range < 2.0 * limit; range *= 2.0) {
    find_terrain_contacts(P, Q, {X_WP, X_WQ, 0, 0, false, range, found});
    if (found.empty()) continue;
    double least = kInfinity;
    for (const ContactPoint& contact : found) least = std::min(least, contact.gap);
    return least;
  }
  return kInfinity;
}

/// Larger than any distance between a body near the field and the field.
double reach_of(const HeightField& Q, const Pose& X_WP, const Pose& X_WQ) {
  const Vector3d corner = Q.sample(Q.nx - 1, Q.ny - 1).cwiseAbs() + Q.sample(0, 0).cwiseAbs();
  return corner.norm() + Q.max_height - Q.min_height + (X_WP.p - X_WQ.p).norm();
}

double smallest_cell(const HeightField& Q) { return std::min(Q.dx, Q.dy); }

template <typename Body>
double vertices_distance(const Body& P, const HeightField& Q, const Pose& X_WP, const Pose& X_WQ) {
  double radius = 0.0;
  for (int v = 0; v < P.vertex_count(); ++v) radius = std::max(radius, P.vertex(v).norm());
  const double above = X_WQ.R.col(2).dot(X_WP.p - X_WQ.p) - radius - P.rounding() - Q.max_height;
  return grow_range(P, Q, X_WP, X_WQ, std::max(above, 0.0) + 0.1 * smallest_cell(Q),
                    reach_of(Q, X_WP, X_WQ));
}

template <typename Round>
double round_distance(const Round& P, const HeightField& Q, const Pose& X_WP, const Pose& X_WQ) {
  const double above =
      X_WQ.R.col(2).dot(X_WP.p - X_WQ.p) - std::hypot(0.5 * P.length, P.radius) - Q.max_height;
  return grow_range(P, Q, X_WP, X_WQ, std::max(above, 0.0) + 0.1 * smallest_cell(Q),
                    reach_of(Q, X_WP, X_WQ));
}

}  // namespace

double terrain_distance(const Polytope& P, const HeightField& Q, const Pose& X_WP,
                        const Pose& X_WQ) {
  return vertices_distance(P, Q, X_WP, X_WQ);
}

double terrain_distance(const MeshView& P, const HeightField& Q, const Pose& X_WP,
                        const Pose& X_WQ) {
  return vertices_distance(P, Q, X_WP, X_WQ);
}

double terrain_distance(const Cylinder& P, const HeightField& Q, const Pose& X_WP,
                        const Pose& X_WQ) {
  return round_distance(P, Q, X_WP, X_WQ);
}

double terrain_distance(const Cone& P, const HeightField& Q, const Pose& X_WP, const Pose& X_WQ) {
  return round_distance(P, Q, X_WP, X_WQ);
}

}  // namespace pequod
