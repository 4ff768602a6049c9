// The features of a cone: the base with its rim, the tip, the side (its axis with a rounding that
// grows from the tip). Same questions as for a cylinder.
#pragma once

#include <array>
#include <optional>

#include "events/cylinder_features.h"

namespace pequod {

/// Half angle at the tip, and the length of a side line.
struct ConeAngle {
  double sine, cosine;
  double slant;  ///< m

  explicit ConeAngle(const Cone& cone) : slant(std::hypot(cone.radius, cone.length)) {
    sine = cone.radius / slant;
    cosine = cone.length / slant;
  }
};

[[nodiscard]] constexpr int cap_count(const Cone&) { return 1; }
/// Its side leans: nothing is told without a look at the rim.
[[nodiscard]] constexpr bool rim_can_stand(const Cone&, int, const Feature&, const Matrix3d&) {
  return true;
}
[[nodiscard]] inline double cap_height(const Cone& cone, int) { return -0.5 * cone.length; }

[[nodiscard]] inline NamedFeature cap_feature(const Cone& cone, int cap) {
  return face_feature({0.0, 0.0, cap_height(cone, cap)}, -Vector3d::UnitZ(), cap);
}

[[nodiscard]] inline Vector3d tip_of(const Cone& cone) { return {0.0, 0.0, 0.5 * cone.length}; }

[[nodiscard]] inline NamedFeature tip_feature(const Cone& cone) {
  return point_feature(tip_of(cone), FeatureClass::vertex, 0);
}

[[nodiscard]] inline NamedFeature side_feature(const Cone& cone) {
  NamedFeature side = line_feature(tip_of(cone), Vector3d::UnitZ(), FeatureClass::axis, 0);
  side.feature.taper = ConeAngle(cone).sine;
  return side;
}

[[nodiscard]] inline double extent(const Cone& cone, const Vector3d& n) {
  const double up = 0.5 * cone.length * n.z();
  return std::max(up, cone.radius * std::hypot(n.x(), n.y()) - up);
}
[[nodiscard]] inline Vector3d support_point(const Cone& cone, const Vector3d& n) {
  const double across = std::hypot(n.x(), n.y()), up = 0.5 * cone.length * n.z();
  if (up >= cone.radius * across - up) return tip_of(cone);
  const double r = across > 0.0 ? cone.radius / across : 0.0;
  return {r * n.x(), r * n.y(), -0.5 * cone.length};
}

/// From the rim's point into the side.
[[nodiscard]] inline Vector3d into_side(const Cone& cone, int, const Vector3d& radial) {
  const ConeAngle angle(cone);
  return angle.cosine * Vector3d::UnitZ() - angle.sine * radial;
}

template <typename Near>
void visit_extremes(const Cone& cone, const Vector3d& n, const RimPoints& named, Near near) {
  rim_candidates(cone, 0, n, named, near);
  near(tip_feature(cone));
}

/// Up to this many times by how much the ground is uneven, a rim's tilt against it is lost in that.
inline constexpr double kUneven = 10.0;

/// The part of a rim that lies over a triangle, rad: around its parameter, which does.
struct RimArc {
  double from, to;
};
/// @param corner  m, of the triangle in the frame Q
[[nodiscard]] RimArc arc_over(const Pose& X_QP, const std::array<Vector3d, 3>& corner,
                              const Feature& rim);

/// Visits what touches a triangle of a rim whose parameter is its lowest point: the rim, whose
/// lowest point is followed all around. Of one that is almost flat, where the ground is as uneven
/// as it leans, that would run far from the triangle within a step: then it is followed along the
/// arc over the triangle, whose ends touch as well.
/// @param uneven  by how much facets around the triangle lean from it
template <typename Visit>
void visit_rim_over(const Pose& X_QP, const std::array<Vector3d, 3>& corner, double uneven,
                    const NamedFeature& rim, Visit visit) {
  const Feature& f = rim.feature;
  const Vector3d normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]).normalized();
  const double slope = std::hypot(normal.dot(X_QP.R.col(0)), normal.dot(X_QP.R.col(1)));
  if (slope > std::min(kFlatCap, kUneven * uneven)) return visit(rim);
  const RimArc arc = arc_over(X_QP, corner, f);
  if (arc.to - arc.from >= 2.0 * M_PI) return visit(rim);
  NamedFeature part = rim;
  part.feature.arc_middle = 0.5 * (arc.from + arc.to);
  part.feature.arc_half = 0.5 * (arc.to - arc.from);
  visit(part);
  const auto visit_end = [&](double angle, std::uint32_t place) {
    NamedFeature end{f, rim.name + 4 * place};
    end.feature.parameter = angle;
    end.feature.p = feature_point(end.feature);
    end.feature.kind = FeatureKind::point;
    visit(end);
  };
  visit_end(arc.from, 1);
  visit_end(arc.to, 2);
}

template <typename Visit>
void visit_tips(const Cone& cone, Visit visit) {
  visit(tip_feature(cone));
}

/// Where a sharp point lies on a rim, to rounding: its nearest point there gives the two no normal,
/// but those of cap and side end the arc of normals that the rim has.
struct RimSpot {
  Vector3d radial;     ///< unit, from the axis
  Vector3d cap, side;  ///< unit, outward
  Vector3d d;          ///< m, from the rim to the point
};
/// @param q  m, in the body's frame
/// @param size  m, of the pair: a point within 1e-6 of it may lie on the rim
template <typename Round>
[[nodiscard]] std::optional<RimSpot> spot_on_rim(const Round& body, int cap, const Vector3d& q,
                                                 double size) {
  constexpr double kOnRim = 1e-6;
  const double rho = std::hypot(q.x(), q.y()), z = cap_height(body, cap);
  if (rho == 0.0 || std::abs(q.z() - z) > kOnRim * size) return std::nullopt;
  const Vector3d radial(q.x() / rho, q.y() / rho, 0.0);
  const Vector3d d = q - (body.radius * radial + z * Vector3d::UnitZ());
  if (d.norm() > kOnRim * size) return std::nullopt;
  const Vector3d cap_normal = cap_feature(body, cap).feature.a;
  const Vector3d inward = into_side(body, cap, radial);
  const double outward = inward.z() < 0.0 ? -1.0 : 1.0;
  return RimSpot{radial, cap_normal,
                 outward * (inward.z() * radial - inward.dot(radial) * Vector3d::UnitZ()), d};
}

/// Whether a contact of the side, at this parameter of side_feature, lies within it.
[[nodiscard]] inline bool is_on_side(const Cone& cone, double parameter) {
  const ConeAngle angle(cone);
  // The ball about the axis' point touches the side s cos α from the tip.
  const double along = -parameter * angle.cosine;
  return along > 0.0 && along < angle.slant;
}
[[nodiscard]] inline bool is_on_side(const Cylinder& cylinder, double parameter) {
  return std::abs(parameter) < 0.5 * cylinder.length;
}

[[nodiscard]] RoundPart nearest_part(const Cone& cone, const Vector3d& p);
[[nodiscard]] std::array<RoundPart, 2> cap_and_side(const Cone& cone, const Vector3d& p);

/// As nearest_part_to_meet() of a Polytope. @param body  a Cylinder or Cone
template <typename Round, typename MayMeet>
[[nodiscard]] RoundPart nearest_part_to_meet(const Round& body, const Vector3d& p, double range,
                                             const MayMeet& may_meet) {
  RoundPart part = nearest_part(body, p);
  if (part.distance >= 0.0 || may_meet(part.normal)) return part;
  for (const RoundPart& other : cap_and_side(body, p))
    if (other.distance > -range && may_meet(other.normal)) return other;
  return part;
}

/// @return how many of `found` are filled
[[nodiscard]] int cross_side(const Cone& cone, const Vector3d& from, const Vector3d& to,
                             SideCrossing (&found)[2]);

}  // namespace pequod
