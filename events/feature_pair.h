// A pair of features of two bodies, and its gap as a smooth function of their motion.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "core/motion.h"
#include "core/shape.h"
#include "core/types.h"
#include "events/tolerances.h"

namespace pequod {

/// The core of one body's side of a contact. The order matters to the code: a pair is looked at
/// from its simpler side.
enum class FeatureKind : std::uint8_t {
  point,     ///< vertex, centre of a ball
  line,      ///< edge, axis of a capsule, cylinder or cone; followed as an infinite line
  circle,    ///< rim of a cap, axis z of the shape frame
  face,      ///< plane with an outward normal; followed as an infinite plane
  triangle,  ///< one facet of a height field, with its boundary;
             ///< its frame's z is up
  facet,     ///< one triangle of a mesh, with its boundary
};

/// Kinds with a boundary: the nearest part of them is followed.
[[nodiscard]] constexpr bool has_border(FeatureKind kind) { return kind >= FeatureKind::triangle; }

inline constexpr std::uint8_t kAllSides = 7;  ///< of Feature::open

/// One side, in its shape frame. The surface lies `rounding` outside the core.
struct Feature {
  FeatureKind kind = FeatureKind::point;
  Vector3d p = Vector3d::Zero();  ///< m: the point; a point of the line or face; centre; corner 0
  /// Unit direction of a line, outward normal of a face or corner of the ground; corner 1, m.
  Vector3d a = Vector3d::Zero();
  /// Corner 2 of a triangle or facet, m (counter-clockwise from outside).
  Vector3d b = Vector3d::Zero();
  /// Of a triangle or facet, bit i: beyond the side from corner i to the next the surface goes on,
  /// flat or rising. The neighbour carries what is there, so the facet's plane is followed across
  /// that side. Of a plane: all.
  std::uint8_t open = 0;
  double radius = 0.0;  ///< m, of a circle
  /// rad: the arc of a circle that lies over the facet, up to so far from its middle; π: all of it.
  double arc_middle = 0.0, arc_half = M_PI;
  double rounding = 0.0;  ///< m, ball radius around the core (of a tapered line: at p)
  /// Of a line: by this much per metre along it the rounding falls. A cone's side is its axis,
  /// rounded from 0 at the tip, with the sine of the half angle. Not for lines over faces.
  double taper = 0.0;
  /// Of an edge of the ground (height field or mesh): normals there are those of its two facets and
  /// all between. b is one of them, unit; across the edge, to the left of its direction seen from
  /// outside, they lean from b by so much per metre along it. Of a corner of the ground: they lean
  /// from a, unit, by lean_high at most, to any side. Of a triangle or facet: those at its corners
  /// lean so from its own. What leaves them stands on a facet's plane (events/ground_normals.h).
  /// Infinite: any normal.
  double lean_low = -kInfinity, lean_high = kInfinity;
  /// Of a triangle or facet: by how much the next facet leans beyond side i, that from corner i on.
  std::array<double, 3> side_lean = {kInfinity, kInfinity, kInfinity};
  /// Of the witness: m along a line, rad from x to y on a circle. Start of the iteration between
  /// two curves; not kept up for a rim over a face, which needs none.
  double parameter = 0.0;
};

/// Whether a line is no edge between facets of ground that hardly lean from each other: what
/// crosses that is soon on one of them.
[[nodiscard]] inline bool is_sharp_edge(const Feature& line) {
  return line.lean_high - line.lean_low > kSharpEdge;
}

/// Whether a side is a ball, which alone is rounded about the origin of its frame.
[[nodiscard]] inline bool is_ball(const Feature& f) {
  return f.kind == FeatureKind::point && f.rounding > 0.0 && f.p.isZero(0.0);
}

/// Whether a side is a plane without a boundary.
[[nodiscard]] inline bool is_plane(const Feature& f) {
  return f.kind == FeatureKind::face && f.open == kAllSides;
}

struct FeaturePair {
  Feature A, B;
  double sign = 1.0;  ///< of two curves: n = sign · t_A × t_B / |t_A × t_B|
};

/// One point of contact (or near contact) between shapes A and B.
struct ContactPoint {
  ContactKey key;
  /// m, where friction acts: across a gap, where point_side() puts it.
  Vector3d p_W = Vector3d::Constant(kNaN);
  Vector3d n_W = Vector3d::UnitZ();  ///< unit, from A to B
  double gap = kNaN;                 ///< m, > 0 apart
  FeaturePair feature;
};

/// The same feature pair at other poses of the shapes: p_W, n_W, gap and the witness parameters.
/// No search, no allocation. n_W of the argument is kept where the new one is undefined (two points
/// that coincide), so a contact starts with any unit vector there.
void follow(ContactPoint& contact, const Pose& X_WA, const Pose& X_WB);

/// m, the gap alone that follow() would leave.
[[nodiscard]] double followed_gap(const ContactPoint& contact, const Pose& X_WA, const Pose& X_WB);

/// φ̇ = n·(v_B − v_A) of the material points at the contact, m/s.
/// @param A, B  motion of the SHAPE frames; `contact` has been followed to their poses
[[nodiscard]] double gap_rate(const ContactPoint& contact, const BodyMotion& A,
                              const BodyMotion& B);

/// φ̈ of the feature pair along the motion, m/s²: n·(a_B − a_A) at the witness points, and the
/// velocity terms of the turning normal and of witness points that move over their bodies. With
/// accelerations that belong to v̇ = 0 this is Ṅ v.
[[nodiscard]] double gap_acceleration(const ContactPoint& contact, const BodyMotion& A,
                                      const BodyMotion& B);

/// Whether one side is a corner or tip, and the other a face.
[[nodiscard]] inline bool is_corner_over_face(const FeaturePair& pair) {
  const auto is = [](const Feature& corner, const Feature& face) {
    return corner.kind == FeatureKind::point && corner.rounding == 0.0 &&
           face.kind == FeatureKind::face;
  };
  return is(pair.A, pair.B) || is(pair.B, pair.A);
}

/// Whether a side of the pair is a line or circle along which what touches may run, and none a
/// face.
[[nodiscard]] inline bool has_curve(const FeaturePair& pair) {
  const FeatureKind most = std::max(pair.A.kind, pair.B.kind);
  return most == FeatureKind::line || most == FeatureKind::circle;
}

/// s, in which the point that touches a curve runs along it by `reach` (m), or on
/// the side of a cone by kToTip of the way to its tip, at its present speed; +∞ if it stays. Where
/// curves are almost parallel it runs far faster than the bodies move.
[[nodiscard]] double running_time(const ContactPoint& contact, const BodyMotion& A,
                                  const BodyMotion& B, double reach);

/// s, in which the point at which a rim crosses a sharp edge or another rim has run kToTip of its
/// way to where both are parallel, and it becomes one with the rim's other crossing; +∞ for other
/// pairs, and if it stays.
[[nodiscard]] double merging_time(const ContactPoint& contact, const BodyMotion& A,
                                  const BodyMotion& B);

/// Rate of the relative velocity v_B(p) − v_A(p) at the contact point p along the motion, m/s²,
/// world axes. p moves over both bodies: a ball that rolls evenly has none, although the material
/// point that touches is accelerated. With accelerations that belong to v̇ = 0 this is Ṡ v, Ṫ v (and
/// Ṅ v) of a contact without slip.
[[nodiscard]] Vector3d slip_acceleration(const ContactPoint& contact, const BodyMotion& A,
                                         const BodyMotion& B);

}  // namespace pequod
