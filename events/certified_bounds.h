// Signed distance of a pair with curved features: bounds from exact normals and exact feature
// pairs.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "events/contact_sink.h"
#include "events/gjk.h"

namespace pequod {

/// Two features that may touch, in P's frame.
struct FeatureMeeting {
  NamedFeature p, q;
  double sign = 1.0;   ///< of FeaturePair, in the order p, q
  double gap = kNaN;   ///< m, of the surfaces
  Vector3d normal;     ///< unit, from P to Q
  bool stands = true;  ///< false: tells a normal, but another one is the contact
};

/// Which features are looked at: with normals near n (P's frame, from P to Q; zero for any), and
/// those of Q not farther along n than q_max.
struct Window {
  Vector3d n = Vector3d::Zero();
  double q_max = kInfinity;

  [[nodiscard]] bool sees(const Vector3d& q) const { return n.dot(q) <= q_max; }
  /// Features that lean more than 60° belong to another patch.
  [[nodiscard]] bool aligned(const Vector3d& normal) const {
    return n.isZero(0.0) || n.dot(normal) >= 0.5;
  }
};

/// Whether a pair has rims that vertices or tips may lie on, which no meeting of two features
/// describes.
template <typename Pair>
inline constexpr bool kHasRims = requires(const Pair& pair) {
  pair.visit_vertices_on_rims([](const FeatureMeeting&) {});
};

/// Lower bound: the best normal. Upper bound: the nearest pair of points.
struct Bounds {
  double lower = -kInfinity, upper = kInfinity;
  Vector3d normal = Vector3d::UnitZ();

  template <typename Pair>
  void raise(const Pair& pair, const Vector3d& n) {
    const double s = pair.separation(n);
    if (s <= lower) return;
    lower = s;
    normal = n;
  }

  template <typename Pair>
  void refine(const Pair& pair, const Window& window) {
    pair.visit_face_normals([&](const Vector3d& n) {
      if (window.aligned(n)) raise(pair, n);
    });
    pair.visit_meetings(window, [&](const FeatureMeeting& meeting) {
      upper = std::min(upper, meeting.gap);
      raise(pair, meeting.normal);
    });
    if constexpr (kHasRims<Pair>)
      pair.visit_vertices_on_rims(
          [&](const FeatureMeeting& meeting) { raise(pair, meeting.normal); });
  }
};

/// Signed distance of the surfaces (`lower`) and its normal. GJK converges slowly on curved
/// features, so it only says where to look; exact feature normals near there give the number, and
/// both bounds agree to 1e-12 of the size.
///
/// A pair has: X_PQ; size (m); rounding() (m, of both cores); core_search(scale), GJK on the cores
/// shrunk about their centres; separation(n), of the surfaces along a unit normal; window(n, slab);
/// visit_face_normals(visit); visit_meetings(window, visit).
/// @param range  m: of a pair that is farther apart than that, only a lower bound that is too
/// @throws std::runtime_error  if the bounds do not meet to 1e-8 of the size, what GJK alone
/// reaches
template <typename Pair>
Bounds certified_bounds(const Pair& pair, double range) {
  constexpr double kCertificate = 1e-12, kUncertified = 1e-8, kTouching = 1e-6;  // of the size
  // Rounding is that of the coordinates.
  const double tolerance = kCertificate * std::max(pair.size, pair.X_PQ.p.norm());
  Bounds bounds;
  const GjkResult found = pair.core_search(1.0);
  if (!found.overlap && found.v.norm() > 0.0) {
    const Vector3d n = found.v.normalized();
    bounds.upper = (found.on_q() - found.on_p()).norm() - pair.rounding();
    bounds.raise(pair, n);
    if (bounds.lower > range) return bounds;
    bounds.refine(pair, pair.window(n, 1e-3 * pair.size));
    if (bounds.upper - bounds.lower <= tolerance) return bounds;
  } else {
    // Shrunk by 0.4 %, bodies that only touch are apart and their features are found there.
    const GjkResult shrunk = pair.core_search(0.996);
    if (!shrunk.overlap && shrunk.v.norm() > 0.0) {
      const Vector3d n = shrunk.v.normalized();
      bounds.raise(pair, n);  // sharp points that meet have no normal but this
      bounds.refine(pair, pair.window(n, 0.05 * pair.size));
      const bool touching = std::abs(bounds.lower) <= kTouching * pair.size;
      if (touching && std::abs(bounds.upper - bounds.lower) <= tolerance) return bounds;
    }
  }
  bounds.refine(pair, Window());
  // Overlapping bodies have no nearest points: the best normal is the answer.
  if (bounds.lower <= tolerance || bounds.upper - bounds.lower <= tolerance) return bounds;
  // A rim parallel to an edge in one plane has no crossing: GJK's own bound has to do.
  if (bounds.upper - bounds.lower <= kUncertified * pair.size) return bounds;
  throw std::runtime_error("distance of a cylinder or cone not certified: between " +
                           std::to_string(bounds.lower) + " and " + std::to_string(bounds.upper) +
                           " m");
}

/// Contacts of all meetings within the sink's range around the normal of the least distance.
template <typename Pair>
void find_meetings(const Pair& pair, const ContactSink& sink) {
  const Bounds bounds = certified_bounds(pair, sink.range);
  if (bounds.lower > sink.range) return;
  const Window window = pair.window(bounds.normal, sink.range - bounds.lower + 1e-9 * pair.size);
  const Vector3d n_W = sink.X_WP.R * bounds.normal;
  const std::size_t before = sink.out.size();
  const auto add = [&](const FeatureMeeting& meeting) {
    if (meeting.stands && meeting.gap <= sink.range)
      sink.add(meeting.p, meeting.q, meeting.sign, n_W);
  };
  pair.visit_meetings(window, add);
  if constexpr (kHasRims<Pair>)
    if (sink.out.size() == before) pair.visit_vertices_on_rims(add);
}

}  // namespace pequod
