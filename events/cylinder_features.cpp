#include "events/cylinder_features.h"

namespace pequod {
namespace {

// Sine of an angle; it only selects features, each of which carries its own gap.
constexpr double kNormalSlack = 1e-3;

/// Angles at which the line's projection meets the rim, or comes nearest to it.
int start_angles(const Cylinder& cylinder, const Vector3d& from, const Vector3d& along,
                 double (&angle)[2]) {
  const double xx = along.x() * along.x() + along.y() * along.y();
  const double xf = along.x() * from.x() + along.y() * from.y();
  const double ff = from.x() * from.x() + from.y() * from.y();
  if (xx <= 1e-12 * along.squaredNorm()) {
    angle[0] = std::atan2(from.y(), from.x());
    return 1;
  }
  const double discriminant = xf * xf - xx * (ff - cylinder.radius * cylinder.radius);
  const double root = std::sqrt(std::max(0.0, discriminant));
  const int count = discriminant > 0.0 ? 2 : 1;
  for (int k = 0; k < count; ++k) {
    const double s = (-xf + (k == 0 ? -root : root)) / xx;
    angle[k] = std::atan2(from.y() + s * along.y(), from.x() + s * along.x());
  }
  return count;
}

}  // namespace

CylinderPart nearest_part(const Cylinder& cylinder, const Vector3d& p) {
  const double rho = std::hypot(p.x(), p.y());
  const double outward = rho - cylinder.radius;
  const double beyond = std::abs(p.z()) - 0.5 * cylinder.length;
  const int cap = p.z() > 0.0 ? 1 : 0;
  const Vector3d axial = (cap == 0 ? -1.0 : 1.0) * Vector3d::UnitZ();
  const Vector3d radial =
      rho > 0.0 ? Vector3d(p.x() / rho, p.y() / rho, 0.0) : Vector3d(1.0, 0.0, 0.0);
  if (outward > 0.0 && beyond > 0.0) {
    const double distance = std::hypot(outward, beyond);
    return {rim_feature(cap_height(cylinder, cap), cylinder.radius, cap, std::atan2(p.y(), p.x())),
            distance, (outward * radial + beyond * axial) / distance};
  }
  if (beyond > outward) return {cap_feature(cylinder, cap), beyond, axial};
  return {side_feature(cylinder), outward, radial};
}

int cross_rim(const Cylinder& cylinder, int cap, const Vector3d& from, const Vector3d& to,
              RimCrossing (&found)[2]) {
  double angle[2];
  const Vector3d along = (to - from).normalized();
  const double length = (to - from).norm();
  const int starts = start_angles(cylinder, from, along, angle);
  int count = 0;
  for (int k = 0; k < starts; ++k) {
    ContactPoint probe;
    const NamedFeature rim = rim_feature(cap_height(cylinder, cap), cylinder.radius, cap, angle[k]);
    probe.feature.A = line_feature(from, along, FeatureClass::edge, 0).feature;
    probe.feature.B = rim.feature;
    probe.feature.A.parameter = along.dot(feature_point(rim.feature) - from);
    follow(probe, {}, {});
    const double s = probe.feature.A.parameter;
    if (!(s > 0.0 && s < length)) continue;
    const double theta = probe.feature.B.parameter;
    const Vector3d radial(std::cos(theta), std::sin(theta), 0.0);
    const double axial = cap == 0 ? -1.0 : 1.0;
    // Out of the rim, between the cap's normal and the radius.
    Vector3d n = probe.n_W;
    if (n.dot(radial) + axial * n.z() < 0.0) n = -n;
    if (n.dot(radial) < -kNormalSlack || axial * n.z() < -kNormalSlack) continue;
    const Vector3d on_rim =
        cap_height(cylinder, cap) * Vector3d::UnitZ() + cylinder.radius * radial;
    const Vector3d tangent(-radial.y(), radial.x(), 0.0);
    RimCrossing& crossing = found[count];
    crossing.rim = rim;
    crossing.rim.feature.parameter = theta;
    crossing.gap = n.dot(from + s * along - on_rim);
    crossing.sign = tangent.cross(along).dot(n) > 0.0 ? 1.0 : -1.0;
    crossing.normal = n;
    const bool again = count == 1 && (feature_point(found[0].rim.feature) - on_rim).norm() <
                                         1e-6 * cylinder.radius;
    if (!again) ++count;
  }
  return count;
}

}  // namespace pequod
