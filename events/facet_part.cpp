#include "events/facet_part.h"

#include <algorithm>

#include "events/ground_normals.h"

namespace pequod {

Placed nearest_part(const Feature& triangle, const Pose& X, const Vector3d& q, FacetPart* touched) {
  const Vector3d corner[3] = {X * triangle.p, X * triangle.a, X * triangle.b};
  Placed part;
  part.kind = FeatureKind::point;
  part.rounding = triangle.rounding;
  part.radius = 0.0;
  const Vector3d normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
  const bool below = triangle.kind == FeatureKind::triangle && normal.dot(q - corner[0]) < 0.0;
  const Vector3d side = below ? Vector3d(X.R.col(2)) : normal;
  bool inside = true;
  int best_side = 0;
  double best = kInfinity;
  for (int i = 0; i < 3; ++i) {
    if (triangle.open >> i & 1) continue;
    const Vector3d& from = corner[i];
    const Vector3d edge = corner[(i + 1) % 3] - from;
    const double s = std::clamp(edge.dot(q - from) / edge.squaredNorm(), 0.0, 1.0);
    if (side.cross(edge).dot(q - from) < 0.0) {
      inside = false;
    } else if (!below) {
      continue;  // the closest point is on an edge that faces q
    }
    const double distance = (from + s * edge - q).squaredNorm();
    if (distance >= best) continue;
    best = distance;
    best_side = i;
    part.kind = s > 0.0 && s < 1.0 ? FeatureKind::line : FeatureKind::point;
    part.p = s < 1.0 ? from : corner[(i + 1) % 3];
    part.a = edge.normalized();
    if (touched) {
      const Vector3d* ends[3] = {&triangle.p, &triangle.a, &triangle.b};
      touched->corners = part.kind == FeatureKind::line ? 2 : 1;
      touched->corner[0] = *ends[s < 1.0 ? i : (i + 1) % 3];
      touched->corner[1] = *ends[(i + 1) % 3];
    }
  }
  if (touched && inside) *touched = {{triangle.p, triangle.a, triangle.b}, 3};
  if (inside) {
    part.kind = FeatureKind::face;
    part.p = corner[0];
    part.a = normal.normalized();
  } else if (!below) {
    lean_over_border(triangle, best_side, normal.normalized(), q, part);
  }
  return part;
}

bool leaves_facet(const Feature& facet, const Vector3d& q) {
  FacetPart touched;
  const Placed part = nearest_part(facet, {}, q, &touched);
  return part.kind == FeatureKind::face && touched.corners < 3;
}

FacetPart touched_part(const ContactPoint& contact, const Pose& X_WA, const Pose& X_WB) {
  FacetPart part;
  const Feature& A = contact.feature.A;
  const Feature& B = contact.feature.B;
  if (has_border(A.kind)) {
    (void)nearest_part(A, X_WA, X_WB * B.p, &part);
  } else if (has_border(B.kind)) {
    (void)nearest_part(B, X_WB, X_WA * A.p, &part);
  }
  return part;
}

bool covers(const ContactPoint& Y, const ContactPoint& X, const FacetPart& part_X) {
  const bool facet_a = has_border(Y.feature.A.kind);
  const Feature& facet = facet_a ? Y.feature.A : Y.feature.B;
  if (part_X.corners == 0 || !has_border(facet.kind)) return false;
  if (Y.key.shape_a != X.key.shape_a || Y.key.shape_b != X.key.shape_b) return false;
  // The body's half of the name; facets stand in the other.
  const std::uint64_t body = facet_a ? 0xffffffffu : 0xffffffff00000000u;
  if ((Y.key.feature & body) != (X.key.feature & body)) return false;
  for (int k = 0; k < part_X.corners; ++k) {
    const Vector3d& c = nth(part_X.corner, k);
    if (c != facet.p && c != facet.a && c != facet.b) return false;
  }
  return true;
}

}  // namespace pequod
