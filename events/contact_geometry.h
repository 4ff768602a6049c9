// Where two shapes touch or nearly touch, and how far apart they are.
#pragma once

#include <span>
#include <vector>

#include "core/shape.h"
#include "events/feature_pair.h"

namespace pequod {

/// Contact points with gap ≤ range, appended to `out` in a fixed order. Each is a pair of points of
/// the two bodies; together the points at gap 0 carry every wrench the touching patch can carry
/// (hull vertices of a face–face patch, both ends of a line). key.feature names the feature of A in
/// its upper half and that of B in its lower half, by indices that do not depend on the pose.
/// Two shapes that fill half space or ground (plane, height field) have no contacts.
/// A ball or capsule's end names the triangles of a mesh around it, with their convex borders, and
/// over the inside of several in a plane their merged face; other bodies name the mesh's merged
/// faces, edges and corners.
/// @param range  m, ≥ 0
/// @param rims   a disc that lies on a face has the points of its rim that these contacts name,
///               beside four fixed ones
/// @param wanted if given, contacts with other keys may be left out: of a hull over terrain they
/// are
/// @throws std::invalid_argument  for a mesh that make_mesh did not build
void find_contacts(const Geometry& A, const Pose& X_WA, const Geometry& B, const Pose& X_WB,
                   int shape_a, int shape_b, double range, std::vector<ContactPoint>& out,
                   std::span<const ContactKey> rims = {}, const ContactKey* wanted = nullptr);

/// Of a contact of a corner and a face: whether the corner is over that face of a box, hull,
/// cylinder, cone or mesh, or less than `slack` (m) beyond its border, once it has moved by `way`.
/// True of other contacts.
/// @param way  m, world axes, of the corner against the face's body
[[nodiscard]] bool is_over_face(const Geometry& A, const Pose& X_WA, const Geometry& B,
                                const Pose& X_WB, const ContactPoint& contact, const Vector3d& way,
                                double slack);

/// Smallest signed distance, m: below zero the least translation that parts them, along a normal of
/// the features in touch. For pairs of ground shapes +∞; a body that is not over a height field is
/// +∞ away from it.
/// @param within  m, at least 0; of shapes farther apart than this any number above it
/// @throws std::invalid_argument  for a mesh that make_mesh did not build
/// @throws std::runtime_error  if the distance cannot be certified
[[nodiscard]] double signed_distance(const Geometry& A, const Pose& X_WA, const Geometry& B,
                                     const Pose& X_WB, double within = kInfinity);

}  // namespace pequod
