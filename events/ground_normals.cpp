#include "events/ground_normals.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "events/cylinder_features.h"
#include "events/tolerances.h"

namespace pequod {
namespace {

// What was just found has its own normal.
constexpr double kFound = 10.0 * kCrossingSlack;
// Facets that lean from each other by rounding are one: the edge between them is none. Heights of
// 1e-12 m give ten times that on cells of a metre.
constexpr double kOneFacet = 1e-13;

// A rim beside a corner, as the part of it that stands on a plane there: all of it where it is
// steep, so that a wheel rolls on; of one that lies almost flat the lowest point may be anywhere.
Placed standing_part(const Placed& curve, double s, const Vector3d& plane_normal) {
  Placed part = curve;
  if (curve.kind == FeatureKind::circle && across(curve.a, plane_normal).norm() > kFlatCap)
    return part;
  part.p = curve.at(s);
  part.kind = FeatureKind::point;
  return part;
}

// How the facet leans that carries a point beside an edge: the one that it is over, for the plane
// of the other lies above the surface there. Over the edge itself, and beside a sharp one, where
// that would push sideways what has gone on over it, the one to which the normal had left.
// @param lean  of that normal; NaN: unknown
double lean_under(const Feature& edge, const Placed& line, const Vector3d& point,
                  const Vector3d& left, double lean) {
  const Vector3d d = point - line.p;
  const double beside = left.dot(d);
  const bool tells = !is_sharp_edge(edge) || std::isnan(lean);
  if (tells && std::abs(beside) > kMerge * d.norm())
    return beside > 0.0 ? edge.lean_high : edge.lean_low;
  if (std::isnan(lean)) return 0.5 * (edge.lean_low + edge.lean_high);
  return std::clamp(lean, edge.lean_low, edge.lean_high);
}

// P and Q may be given again, in either order.
void stand_on_plane(Witness& w, Placed part, double s_part, Placed ground, double s_ground,
                    const Vector3d& normal) {
  ground.kind = FeatureKind::face;
  ground.a = normal;
  w.P = std::move(part);
  w.Q = ground;
  w.s_P = s_part;
  w.s_Q = s_ground;
}

}  // namespace

void lean_over_border(const Feature& facet, int side, const Vector3d& normal, const Vector3d& q,
                      Placed& part) {
  const bool on_side = part.kind == FeatureKind::line;
  const double most = on_side ? nth(facet.side_lean, side) : facet.lean_high;
  Vector3d d = q - part.p;
  if (on_side) d -= part.a * part.a.dot(d);
  const double rise = normal.dot(d);
  const Vector3d out = d - rise * normal;
  const double lean = out.norm();
  if (!std::isfinite(most) || rise <= 0.0 || lean <= (most + kFound) * rise) return;
  part.kind = FeatureKind::face;
  part.a = (normal + (most / lean) * out).normalized();
}

bool stand_beside_corner(Witness& w, const Feature& corner, const Pose& X_WP) {
  const Vector3d axis = X_WP.R * corner.a, along = w.Q.tangent(w.s_Q).normalized();
  const double slope = along.dot(axis);
  if (std::abs(slope) > 0.5) return false;  // a curve that rises so steeply stands on its end
  // Of the cone of normals, those across the curve: tan²θ = (tan²Λ − tan²δ) / (1 + tan²δ), Λ its
  // half angle and δ that from the axis to the plane across the curve.
  const double square = slope * slope / (1.0 - slope * slope);
  const double most =
      std::sqrt(std::max(0.0, (corner.lean_high * corner.lean_high - square) / (1.0 + square)));
  const Vector3d upwards = across(along, axis).normalized(), left = upwards.cross(along);
  const double rise = w.n.dot(upwards), lean = w.n.dot(left);
  if (rise > 0.0 && std::abs(lean) <= (most + kFound) * rise) return false;
  const Vector3d normal = (upwards + std::copysign(most, lean) * left).normalized();
  stand_on_plane(w, standing_part(w.Q, w.s_Q, normal), w.s_Q, w.P, w.s_P, normal);
  return true;
}

bool stand_beside_edge(Witness& w, const Feature& edge, bool edge_is_P, double kept_body,
                       const Pose& X_WE) {
  const Placed line = edge_is_P ? w.P : w.Q;
  Placed body = edge_is_P ? w.Q : w.P;
  const Vector3d upwards = X_WE.R * edge.b, left = upwards.cross(line.a);
  const Vector3d n = edge_is_P ? w.n : Vector3d(-w.n);
  const double rise = n.dot(upwards), lean = n.dot(left) / rise;
  const bool flat = std::abs(edge.lean_high - edge.lean_low) <= kOneFacet;
  if (rise > 0.0 && !flat && lean >= edge.lean_low - kFound && lean <= edge.lean_high + kFound)
    return false;
  body.p = body.at(kept_body);
  body.kind = FeatureKind::point;
  const double facet_lean = lean_under(edge, line, body.p, left, rise > 0.0 ? lean : kNaN);
  stand_on_plane(w, body, kept_body, line, edge_is_P ? w.s_P : w.s_Q,
                 (upwards + facet_lean * left).normalized());
  return true;
}

}  // namespace pequod
