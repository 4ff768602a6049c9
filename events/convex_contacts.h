// Contacts and certified distances between convex bodies.
#pragma once

#include "core/shape.h"
#include "events/contact_sink.h"
#include "events/polytope.h"

namespace pequod {

void find_convex_contacts(const Polytope& P, const Polytope& Q, const ContactSink& sink);
void find_convex_contacts(const Cylinder& P, const Polytope& Q, const ContactSink& sink);
void find_convex_contacts(const Polytope& P, const Cylinder& Q, const ContactSink& sink);
void find_convex_contacts(const Cylinder& P, const Cylinder& Q, const ContactSink& sink);

/// Signed distance from P to Q, m.
/// @throws std::runtime_error  if lower and upper bound do not meet
[[nodiscard]] double convex_distance(const Polytope& P, const Polytope& Q, const Pose& X_PQ);
[[nodiscard]] double convex_distance(const Cylinder& P, const Polytope& Q, const Pose& X_PQ);
[[nodiscard]] double convex_distance(const Polytope& P, const Cylinder& Q, const Pose& X_PQ);
[[nodiscard]] double convex_distance(const Cylinder& P, const Cylinder& Q, const Pose& X_PQ);

}  // namespace pequod
