// The features of a cylinder: two caps, two rims, the side (a line rounded by the radius). What is
// asked of a cone too (events/cone_features.h) is a template.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/shape.h"
#include "events/contact_sink.h"
#include "events/polytope_queries.h"
#include "events/tolerances.h"

namespace pequod {

/// A cap's rim gets fixed contact points where the sine of the angle between the cylinder's axis
/// and the normal is below this (they only complete the patch: each carries its own gap).
inline constexpr double kFlatCap = 0.02;
/// Fixed points on a rim, at multiples of 90° from the x axis.
inline constexpr int kRimPoints = 4;
/// Named points on a rim, from the x axis on: so many that a disc that tips about the nearest one
/// sinks beside it at less than 1e-11 of its speed.
inline constexpr int kRimSteps = 1 << 20;
/// Sine of the inclination up to which a disc that lies on a face has the rim points that contacts
/// name, for it may tip about any point; above, the moving point is where it touches.
inline constexpr double kLying = 1e-8;
/// Sine of the inclination up to which a fixed or named point stands for the lowest one, if a disc
/// that lay flat tips about it; above, the moving point stands for fixed ones that are as low.
inline constexpr double kSameFace = 1e-6;

[[nodiscard]] inline double cap_height(const Cylinder& cylinder, int cap) {
  return (cap == 0 ? -0.5 : 0.5) * cylinder.length;
}

[[nodiscard]] inline NamedFeature cap_feature(const Cylinder& cylinder, int cap) {
  return face_feature({0.0, 0.0, cap_height(cylinder, cap)},
                      (cap == 0 ? -1.0 : 1.0) * Vector3d::UnitZ(), cap);
}

[[nodiscard]] inline NamedFeature side_feature(const Cylinder& cylinder) {
  return line_feature(Vector3d::Zero(), Vector3d::UnitZ(), FeatureClass::axis, 0, cylinder.radius);
}

/// Largest n·x over the cylinder, m, and a point that has it (its rim, or a cap's centre).
[[nodiscard]] inline double extent(const Cylinder& cylinder, const Vector3d& n) {
  return cylinder.radius * std::hypot(n.x(), n.y()) + 0.5 * cylinder.length * std::abs(n.z());
}
[[nodiscard]] inline Vector3d support_point(const Cylinder& cylinder, const Vector3d& n) {
  const double across = std::hypot(n.x(), n.y());
  const double r = across > 0.0 ? cylinder.radius / across : 0.0;
  return {r * n.x(), r * n.y(), (n.z() > 0.0 ? 0.5 : -0.5) * cylinder.length};
}

/// Where the witness of a point or rim feature is, in the cylinder's frame.
[[nodiscard]] inline Vector3d feature_point(const Feature& f) {
  if (f.kind != FeatureKind::circle) return f.p;
  return f.p + f.radius * Vector3d(std::cos(f.parameter), std::sin(f.parameter), 0.0);
}

/// Unit tangent of a rim at its parameter, in the cylinder's frame.
[[nodiscard]] inline Vector3d rim_tangent(const Feature& rim) {
  return {-std::sin(rim.parameter), std::cos(rim.parameter), 0.0};
}

/// @param index  of the point's name: kRimSteps · cap + step
template <typename Round>
[[nodiscard]] NamedFeature rim_point(const Round& body, int index) {
  constexpr int kQuarter = kRimSteps / kRimPoints;
  constexpr double kCos[kRimPoints] = {1.0, 0.0, -1.0, 0.0};
  constexpr double kSin[kRimPoints] = {0.0, 1.0, 0.0, -1.0};
  const int step = index % kRimSteps, k = step / kQuarter;
  const double angle = step * (2.0 * M_PI / kRimSteps);
  const bool fixed = step % kQuarter == 0;
  const Vector3d p(body.radius * (fixed ? kCos[k] : std::cos(angle)),
                   body.radius * (fixed ? kSin[k] : std::sin(angle)),
                   cap_height(body, index / kRimSteps));
  return point_feature(p, FeatureClass::rim_point, index);
}

/// The named point of a rim in a direction of the body's frame, or nearest to it.
[[nodiscard]] inline int rim_step(const Vector3d& direction) {
  const double turns = std::atan2(direction.y(), direction.x()) / (2.0 * M_PI);
  return (static_cast<int>(std::lround(turns * kRimSteps)) + kRimSteps) % kRimSteps;
}

/// The point of a rim farthest along n, and near flatness the fixed points: `near` is called with
/// each feature. The moving point is left out where the fixed ones hold the body to 1e-10 m, and
/// where named ones do; a fixed one within 1e-9 m of it along n, for where both are held the disc
/// cannot roll.
/// @param body   a Cylinder or Cone
/// @param n      unit, in its frame
/// @param named  points of its rims that a disc has that lies flat
template <typename Round, typename Near>
void rim_candidates(const Round& body, int cap, const Vector3d& n, const RimPoints& named,
                    Near near) {
  constexpr double kAsLow = 1e-9;  // m
  const double z = cap_height(body, cap);
  const double slope = std::hypot(n.x(), n.y());
  bool lies = false;
  if (slope <= kLying)
    named.visit([&](int index) {
      if (index / kRimSteps != cap || index % (kRimSteps / kRimPoints) == 0) return;
      near(rim_point(body, index));
      lies = true;
    });
  // Between two fixed points the rim lies at most (1 − cos 45°) r·slope nearer than they do.
  if (!lies && 0.3 * body.radius * slope > 1e-10) {
    near(rim_feature(z, body.radius, cap, std::atan2(n.y(), n.x())));
  }
  if (slope > kFlatCap) return;
  for (int k = 0; k < kRimPoints; ++k) {
    const NamedFeature point = rim_point(body, kRimSteps * cap + k * (kRimSteps / kRimPoints));
    const double along = n.head<2>().dot(point.feature.p.head<2>());
    if (slope <= kSameFace || body.radius * slope - along > kAsLow) near(point);
  }
}

[[nodiscard]] constexpr int cap_count(const Cylinder&) { return 2; }

/// The points farthest along n (unit, in the cylinder's frame) that may stand on a face: those of
/// the rims. Calls near(NamedFeature).
template <typename Near>
void visit_extremes(const Cylinder& cylinder, const Vector3d& n, const RimPoints& named,
                    Near near) {
  for (int cap = 0; cap < 2; ++cap) rim_candidates(cylinder, cap, n, named, near);
}

/// Unit, from the axis to p, rho (m) from it.
[[nodiscard]] inline Vector3d radial_direction(const Vector3d& p, double rho) {
  return rho > 0.0 ? Vector3d(p.x() / rho, p.y() / rho, 0.0) : Vector3d(1.0, 0.0, 0.0);
}

/// Part of a cylinder or cone that is nearest to a point of its frame.
struct RoundPart {
  NamedFeature feature;
  double distance = kInfinity;          ///< m, below 0 inside
  Vector3d normal = Vector3d::UnitZ();  ///< unit, out of the body
};
[[nodiscard]] RoundPart nearest_part(const Cylinder& cylinder, const Vector3d& p);
/// A cap and the side, of a point inside: of the cap the nearer one.
[[nodiscard]] std::array<RoundPart, 2> cap_and_side(const Cylinder& cylinder, const Vector3d& p);

/// Tips: a cylinder has none.
template <typename Visit>
void visit_tips(const Cylinder&, Visit) {}

/// From the rim's point into the side, unit.
/// @param radial  unit, from the axis to the point
[[nodiscard]] inline Vector3d into_side(const Cylinder&, int cap,
                                        const Vector3d& /*radial*/ = Vector3d::Zero()) {
  return (cap == 0 ? 1.0 : -1.0) * Vector3d::UnitZ();
}

/// A side and the line through a segment, both given in the body's frame, where a plane through the
/// line is tangent, within both.
struct SideCrossing {
  NamedFeature side;                    ///< with the parameter where the plane touches it
  double gap = kNaN;                    ///< m
  double sign = 1.0;                    ///< for FeaturePair, side first
  Vector3d normal = Vector3d::UnitX();  ///< unit, out of the body
  Vector3d on_line = Vector3d::Zero();
};
/// @return how many of `found` are filled
[[nodiscard]] int cross_side(const Cylinder& cylinder, const Vector3d& from, const Vector3d& to,
                             SideCrossing (&found)[2]);

/// Whether a segment, given in the body's frame, comes within `range` of the cylinder of the body's
/// size. @param body  a Cylinder or Cone
template <typename Round>
[[nodiscard]] bool comes_near(const Round& body, const Vector3d& from, const Vector3d& to,
                              double range);

/// Whether the rim of a cap can stand on an edge of the ground with the normals between those of
/// its facets: one of these must leave the cap or lie across the axis.
/// @param line  the edge; R  turns from the body's frame into its own
[[nodiscard]] inline bool rim_can_stand(const Cylinder& cylinder, int cap, const Feature& line,
                                        const Matrix3d& R) {
  if (!std::isfinite(line.lean_low)) return true;
  const Vector3d inward = R * into_side(cylinder, cap), left = line.b.cross(line.a);
  const auto leaves = [&](double lean) {
    return -(line.b + lean * left).normalized().dot(inward) <= 2.0 * kNormalSlack;
  };
  return leaves(line.lean_low) || leaves(line.lean_high);
}

/// Sine of the angle between a rim and a sharp curve that crosses it, below which speeds of
/// rounding decide which of the two crossings bears how much: the middle of the chord between them
/// stands for both. It lies 5e-5 of the radius inside the rim.
inline constexpr double kShortChord = 1e-2;

/// Whether the middle of the chord stands for its ends, whose gaps must agree to rounding.
/// @param sine  of the angle between rim and curve
/// @param tilt  sine of the curve's inclination against the cap, along the chord
[[nodiscard]] inline bool is_short_chord(double sine, double tilt) {
  return sine <= kShortChord && sine * tilt <= kMerge;
}

/// Where a line lies on a cap in a short chord.
struct ChordMiddle {
  double s = 0.0;     ///< m, along the line from its first point
  double gap = kNaN;  ///< m, of the line over the cap
};
/// @param from, to  of a segment, in the body's frame; the middle lies inside it
template <typename Round>
[[nodiscard]] std::optional<ChordMiddle> short_chord(const Round& body, int cap,
                                                     const Vector3d& from, const Vector3d& to);

/// A rim and the line through a segment, both given in the body's frame, at stationary distance
/// inside the segment with a normal that leaves the rim. Gaps are those of the line itself.
struct RimCrossing {
  NamedFeature rim;
  double gap = kNaN;                    ///< m
  double sign = 1.0;                    ///< for FeaturePair, rim first
  Vector3d normal = Vector3d::UnitX();  ///< unit, out of the body
  bool stands = true;                   ///< false: the middle of a short chord stands for it
};
/// @param body      a Cylinder or Cone
/// @param rounding  m, of the line: it may then run parallel to the rim
/// @return how many of `found` are filled
template <typename Round>
[[nodiscard]] int cross_rim(const Round& body, int cap, const Vector3d& from, const Vector3d& to,
                            double rounding, RimCrossing (&found)[4]);

}  // namespace pequod
