// What the tests of contact finding ask of the finders.
#pragma once

#include <algorithm>
#include <vector>

#include "events/contact_geometry.h"

namespace pequod::test {

/// The shapes have the indices 3 and 7.
inline std::vector<ContactPoint> contacts_of(const Geometry& A, const Pose& X_WA, const Geometry& B,
                                             const Pose& X_WB, double range) {
  std::vector<ContactPoint> out;
  find_contacts(A, X_WA, B, X_WB, 3, 7, range, out);
  return out;
}

inline double least_gap(const std::vector<ContactPoint>& contacts) {
  double least = kInfinity;
  for (const ContactPoint& contact : contacts) least = std::min(least, contact.gap);
  return least;
}

}  // namespace pequod::test
