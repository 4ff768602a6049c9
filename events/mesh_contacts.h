// Contacts and distances of bodies against triangle meshes (Q of the sink).
#pragma once

#include "core/shape.h"
#include "events/contact_sink.h"
#include "events/mesh_view.h"

namespace pequod {

void find_mesh_contacts(const Polytope& P, const Mesh& Q, const ContactSink& sink);
void find_mesh_contacts(const MeshView& P, const Mesh& Q, const ContactSink& sink);
void find_mesh_contacts(const Cylinder& P, const Mesh& Q, const ContactSink& sink);
void find_mesh_contacts(const Cone& P, const Mesh& Q, const ContactSink& sink);

/// Signed distance, m. Apart: the least certified distance over the triangles, and below zero if
/// the body is inside a closed mesh (then the least way out along the normal of the nearest
/// triangle). Touching or overlapping: the deepest contact.
/// @param within  m, at least 0; what is farther may be told as +∞
/// @throws std::runtime_error  if the distance to a triangle cannot be certified
template <typename Body>  // Polytope, MeshView, Cylinder, Cone
[[nodiscard]] double mesh_distance(const Body& P, const Mesh& Q, const Pose& X_WP, const Pose& X_WQ,
                                   double within);

}  // namespace pequod
