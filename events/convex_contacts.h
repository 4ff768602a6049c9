// Contacts and certified distances between convex bodies.
#pragma once

#include "core/shape.h"
#include "events/contact_sink.h"
#include "events/polytope.h"

namespace pequod {

void find_convex_contacts(const Polytope& P, const Polytope& Q, const ContactSink& sink);
void find_convex_contacts(const Cylinder& P, const Polytope& Q, const ContactSink& sink);
void find_convex_contacts(const Cone& P, const Polytope& Q, const ContactSink& sink);
void find_convex_contacts(const Cylinder& P, const Cylinder& Q, const ContactSink& sink);
void find_convex_contacts(const Cone& P, const Cylinder& Q, const ContactSink& sink);
void find_convex_contacts(const Cone& P, const Cone& Q, const ContactSink& sink);
template <typename Round>
void find_convex_contacts(const Polytope& P, const Round& Q, const ContactSink& sink) {
  find_convex_contacts(Q, P, sink.exchanged());
}
inline void find_convex_contacts(const Cylinder& P, const Cone& Q, const ContactSink& sink) {
  find_convex_contacts(Q, P, sink.exchanged());
}

/// Signed distance from P to Q, m.
/// @param range  m: of round bodies that are farther apart any number above it
/// @throws std::runtime_error  if lower and upper bound do not meet
[[nodiscard]] double convex_distance(const Polytope& P, const Polytope& Q, const Pose& X_PQ);
[[nodiscard]] double convex_distance(const Cylinder& P, const Polytope& Q, const Pose& X_PQ,
                                     double range = kInfinity);
[[nodiscard]] double convex_distance(const Cone& P, const Polytope& Q, const Pose& X_PQ,
                                     double range = kInfinity);
[[nodiscard]] double convex_distance(const Cylinder& P, const Cylinder& Q, const Pose& X_PQ,
                                     double range = kInfinity);
[[nodiscard]] double convex_distance(const Cone& P, const Cylinder& Q, const Pose& X_PQ,
                                     double range = kInfinity);
[[nodiscard]] double convex_distance(const Cone& P, const Cone& Q, const Pose& X_PQ,
                                     double range = kInfinity);
template <typename Round>
[[nodiscard]] double convex_distance(const Polytope& P, const Round& Q, const Pose& X_PQ,
                                     double range = kInfinity) {
  return convex_distance(Q, P, X_PQ.inverse(), range);
}
[[nodiscard]] inline double convex_distance(const Cylinder& P, const Cone& Q, const Pose& X_PQ,
                                            double range = kInfinity) {
  return convex_distance(Q, P, X_PQ.inverse(), range);
}

}  // namespace pequod
