// Contacts and distances of bodies against ground: planes and height fields (Q of the sink).
#pragma once

#include "core/shape.h"
#include "events/contact_sink.h"
#include "events/mesh_view.h"

namespace pequod {

void find_plane_contacts(const Polytope& P, const ContactSink& sink);
void find_plane_contacts(const MeshView& P, const ContactSink& sink);
void find_plane_contacts(const Cylinder& P, const ContactSink& sink);
void find_plane_contacts(const Cone& P, const ContactSink& sink);

void find_terrain_contacts(const Polytope& P, const HeightField& Q, const ContactSink& sink);
void find_terrain_contacts(const MeshView& P, const HeightField& Q, const ContactSink& sink);
void find_terrain_contacts(const Cylinder& P, const HeightField& Q, const ContactSink& sink);
void find_terrain_contacts(const Cone& P, const HeightField& Q, const ContactSink& sink);

/// Least gap of all contacts, m; +∞ for a body beside the field.
[[nodiscard]] double terrain_distance(const Polytope& P, const HeightField& Q, const Pose& X_WP,
                                      const Pose& X_WQ);
[[nodiscard]] double terrain_distance(const MeshView& P, const HeightField& Q, const Pose& X_WP,
                                      const Pose& X_WQ);
[[nodiscard]] double terrain_distance(const Cylinder& P, const HeightField& Q, const Pose& X_WP,
                                      const Pose& X_WQ);
[[nodiscard]] double terrain_distance(const Cone& P, const HeightField& Q, const Pose& X_WP,
                                      const Pose& X_WQ);

/// Signed distance to the half space below the plane, m.
[[nodiscard]] double plane_distance(const Polytope& P, const Pose& X_PQ);
[[nodiscard]] double plane_distance(const MeshView& P, const Pose& X_PQ);
[[nodiscard]] double plane_distance(const Cylinder& P, const Pose& X_PQ);
[[nodiscard]] double plane_distance(const Cone& P, const Pose& X_PQ);

}  // namespace pequod
