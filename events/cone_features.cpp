#include "events/cone_features.h"

#include <algorithm>
#include <cmath>

namespace pequod {

std::array<RoundPart, 2> cap_and_side(const Cone& cone, const Vector3d& p) {
  const ConeAngle angle(cone);
  const double rho = std::hypot(p.x(), p.y());
  const double below = 0.5 * cone.length - p.z();  // the tip
  return {{{cap_feature(cone, 0), below - cone.length, -Vector3d::UnitZ()},
           {side_feature(cone), rho * angle.cosine - below * angle.sine,
            angle.cosine * radial_direction(p, rho) + angle.sine * Vector3d::UnitZ()}}};
}

RoundPart nearest_part(const Cone& cone, const Vector3d& p) {
  const ConeAngle angle(cone);
  const auto [cap, side] = cap_and_side(cone, p);
  const double rho = std::hypot(p.x(), p.y());
  const double below = 0.5 * cone.length - p.z();                // the tip
  const double along = rho * angle.sine + below * angle.cosine;  // from the tip down the side
  if (side.distance > 0.0 && along < 0.0) {
    const Vector3d d = p - tip_of(cone);
    return {tip_feature(cone), d.norm(), d.normalized()};
  }
  if ((cap.distance > 0.0 && rho > cone.radius) || (side.distance > 0.0 && along > angle.slant)) {
    const Vector3d d =
        (rho - cone.radius) * radial_direction(p, rho) - cap.distance * Vector3d::UnitZ();
    return {rim_feature(cap_height(cone, 0), cone.radius, 0, std::atan2(p.y(), p.x())), d.norm(),
            d.normalized()};
  }
  return cap.distance > side.distance ? cap : side;
}

int cross_side(const Cone& cone, const Vector3d& from, const Vector3d& to,
               SideCrossing (&found)[2]) {
  const double length = (to - from).norm();
  const Vector3d direction = (to - from) / length;
  int count = 0;
  for (const double sign : {1.0, -1.0}) {
    ContactPoint probe;
    probe.feature.A = side_feature(cone).feature;
    probe.feature.B = line_feature(from, direction, FeatureClass::edge, 0).feature;
    probe.feature.sign = sign;
    follow(probe, {}, {});
    const double s = probe.feature.B.parameter;
    const Feature& side = probe.feature.A;
    if (!(s > 0.0 && s < length) || !is_on_side(cone, side.parameter)) continue;
    if (probe.gap - side.taper * side.parameter <= 0.0) continue;  // beyond the axis
    // Steeper than the side no plane through the line is tangent.
    if (std::abs(probe.n_W.dot(direction)) > 1e-9 ||
        std::abs(probe.n_W.z() - probe.feature.A.taper) > 1e-9)
      continue;
    found[count++] = {
        {side, side_feature(cone).name}, probe.gap, sign, probe.n_W, from + s * direction};
  }
  return count;
}

RimArc arc_over(const Pose& X_QP, const std::array<Vector3d, 3>& corner, const Feature& rim) {
  const Vector3d normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
  const Vector3d x = X_QP.R.col(0), y = X_QP.R.col(1);
  double before = M_PI, behind = M_PI;
  for (std::size_t k = 0; k < 3; ++k) {
    // Inside of the side is where c + a cos θ + b sin θ ≥ 0: within `half` of the middle.
    const Vector3d inward = normal.cross(corner[(k + 1) % 3] - corner[k]);
    const double a = rim.radius * inward.dot(x), b = rim.radius * inward.dot(y);
    const double c = inward.dot(X_QP * rim.p - corner[k]), size = std::hypot(a, b);
    if (c >= size) continue;
    const double half = std::acos(std::clamp(-c / size, -1.0, 1.0));
    const double from_middle = std::remainder(rim.parameter - std::atan2(b, a), 2.0 * M_PI);
    before = std::min(before, half + from_middle);
    behind = std::min(behind, half - from_middle);
  }
  return {rim.parameter - std::max(before, 0.0), rim.parameter + std::max(behind, 0.0)};
}

}  // namespace pequod
