// Where a body has passed an edge, border or corner of the ground: the facets beyond carry it.
//
// A feature is followed through a step, and the body may pass it within. Its normal would then
// leave those that the surface has there, and lean over as far as the body is past it: held, it
// would pull the body back along the ground, however flat that is. What left the normals of a
// feature stands on the plane of the facet beyond, or on the steepest plane that it may be.
#pragma once

#include "events/witness.h"

namespace pequod {

/// By how much a normal m leans from n, m per metre along n; +∞ from a right angle on.
[[nodiscard]] inline double lean_from(const Vector3d& n, const Vector3d& m) {
  const double rise = n.dot(m);
  return rise > 0.0 ? n.cross(m).norm() / rise : kInfinity;
}

/// The same of what lies beyond a side of a facet, across it: below 0 in a valley.
/// @param out     unit, in the facet's plane across the side
/// @param beyond  m, from the side to a point of the next facet
[[nodiscard]] inline double lean_beyond(const Vector3d& normal, const Vector3d& out,
                                        const Vector3d& beyond) {
  return out.dot(beyond) > 0.0 ? -normal.dot(beyond) / out.dot(beyond) : kInfinity;
}

/// The border's part that is nearest to q becomes the plane of the facet beyond, if q has left the
/// normals there.
/// @param side    of the facet, that the part belongs to
/// @param normal  unit, of the facet
void lean_over_border(const Feature& facet, int side, const Vector3d& normal, const Vector3d& q,
                      Placed& part);

/// A body's curve beside a corner of the ground, which is P. Where their common normal has left
/// those of the corner, the curve's nearest point (of a rim that stands steeply, its lowest one)
/// stands on a plane through the corner.
/// @return whether it does; then P is the body's side and Q the plane
[[nodiscard]] bool stand_beside_corner(Witness& w, const Feature& corner, const Pose& X_WP);

/// Two crossing curves, an edge of the ground and one of a body. Where their common normal has left
/// those of the edge, as where a rim comes off it or both run almost parallel, the point of the
/// body where they crossed stands on the facet's plane.
/// @param kept_body  parameter of that point
/// @return whether it does; then P is that point and Q that plane
[[nodiscard]] bool stand_beside_edge(Witness& w, const Feature& edge, bool edge_is_P,
                                     double kept_body, const Pose& X_WE);

}  // namespace pequod
