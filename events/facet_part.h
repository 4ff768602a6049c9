// Which part of a facet of the ground a body is nearest to.
#pragma once

#include <array>

#include "events/feature_pair.h"

namespace pequod {

/// The part of a facet of a height field or mesh that is nearest to the body: what a smooth body
/// touches of it.
struct FacetPart {
  std::array<Vector3d, 3> corner;  ///< m, in the frame of the field or mesh
  int corners = 0;  ///< 3: the inside, 2: an edge, 1: a corner; 0: no facet in this contact
};
[[nodiscard]] FacetPart touched_part(const ContactPoint& contact, const Pose& X_WA,
                                     const Pose& X_WB);

/// Whether q has passed the border of a facet (its leans known) so far that the next one carries
/// it.
/// @param q  m, in the frame of the field or mesh
[[nodiscard]] bool leaves_facet(const Feature& facet, const Vector3d& q);

/// Whether the part that X touches belongs to the facet of Y, for the same feature of the body.
/// Then the gap of X is never below that of Y: X is Y, or its neighbour seen across their border.
[[nodiscard]] bool covers(const ContactPoint& Y, const ContactPoint& X, const FacetPart& part_X);

}  // namespace pequod
