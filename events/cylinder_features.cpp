#include "events/cylinder_features.h"

#include <algorithm>

#include "events/cone_features.h"
#include "events/tolerances.h"

namespace pequod {
namespace {

/// Where to start on the rim: where the line's projection meets it, where the projection is nearest
/// to the axis, and below the point of the line nearest to the rim's centre. Far away only one of
/// them leads to the stationary point that faces the line.
int start_angles(double radius, double z, const Vector3d& from, const Vector3d& along,
                 double (&angle)[4]) {
  int count = 0;
  const auto start_at = [&](double s) {
    angle[count++] = std::atan2(from.y() + s * along.y(), from.x() + s * along.x());
  };
  start_at(along.dot(Vector3d(0.0, 0.0, z) - from));
  const double xx = along.x() * along.x() + along.y() * along.y();
  const double xf = along.x() * from.x() + along.y() * from.y();
  const double ff = from.x() * from.x() + from.y() * from.y();
  if (xx <= 1e-12) return count;
  start_at(-xf / xx);
  const double discriminant = xf * xf - xx * (ff - radius * radius);
  if (discriminant <= 0.0) return count;
  start_at((-xf - std::sqrt(discriminant)) / xx);
  start_at((-xf + std::sqrt(discriminant)) / xx);
  return count;
}

}  // namespace

std::array<RoundPart, 2> cap_and_side(const Cylinder& cylinder, const Vector3d& p) {
  const double rho = std::hypot(p.x(), p.y());
  const int cap = p.z() > 0.0 ? 1 : 0;
  return {{{cap_feature(cylinder, cap), std::abs(p.z()) - 0.5 * cylinder.length,
            (cap == 0 ? -1.0 : 1.0) * Vector3d::UnitZ()},
           {side_feature(cylinder), rho - cylinder.radius, radial_direction(p, rho)}}};
}

RoundPart nearest_part(const Cylinder& cylinder, const Vector3d& p) {
  const auto [cap, side] = cap_and_side(cylinder, p);
  if (side.distance > 0.0 && cap.distance > 0.0) {
    const double distance = std::hypot(side.distance, cap.distance);
    const int end = p.z() > 0.0 ? 1 : 0;
    return {rim_feature(cap_height(cylinder, end), cylinder.radius, end, std::atan2(p.y(), p.x())),
            distance, (side.distance * side.normal + cap.distance * cap.normal) / distance};
  }
  return cap.distance > side.distance ? cap : side;
}

int cross_side(const Cylinder& cylinder, const Vector3d& from, const Vector3d& to,
               SideCrossing (&found)[2]) {
  const Vector3d half(0.0, 0.0, 0.5 * cylinder.length);
  const EdgeCrossing crossing = cross_edges(-half, half, from, to);
  if (!crossing.interior) return 0;
  int count = 0;
  for (const double sign : {1.0, -1.0}) {
    const Vector3d n = sign * crossing.normal;
    NamedFeature side = side_feature(cylinder);
    side.feature.parameter = crossing.on_first.z();
    found[count++] = {side, n.dot(crossing.on_second - crossing.on_first) - cylinder.radius, sign,
                      n, crossing.on_second};
  }
  return count;
}

template <typename Round>
bool comes_near(const Round& body, const Vector3d& from, const Vector3d& to, double range) {
  // The part of the segment between the planes of the caps, and its point nearest to the axis.
  const Vector3d along = to - from;
  const double high = 0.5 * body.length + range;
  double first = 0.0, last = 1.0;
  if (along.z() != 0.0) {
    const double low_at = (-high - from.z()) / along.z(), high_at = (high - from.z()) / along.z();
    first = std::max(first, std::min(low_at, high_at));
    last = std::min(last, std::max(low_at, high_at));
  } else if (std::abs(from.z()) > high) {
    return false;
  }
  if (first > last) return false;
  const Eigen::Vector2d a = along.head<2>(), p = from.head<2>();
  const double square = a.squaredNorm();
  const double nearest = square > 0.0 ? std::clamp(-p.dot(a) / square, first, last) : first;
  return (p + nearest * a).norm() <= body.radius + range;
}
template bool comes_near(const Cylinder&, const Vector3d&, const Vector3d&, double);
template bool comes_near(const Cone&, const Vector3d&, const Vector3d&, double);

template <typename Round>
int cross_rim(const Round& body, int cap, const Vector3d& from, const Vector3d& to, double rounding,
              RimCrossing (&found)[4]) {
  double angle[4];
  const Vector3d along = (to - from).normalized();
  const double length = (to - from).norm();
  const int starts = start_angles(body.radius, cap_height(body, cap), from, along, angle);
  int count = 0;
  for (int k = 0; k < starts; ++k) {
    ContactPoint probe;
    const NamedFeature rim = rim_feature(cap_height(body, cap), body.radius, cap, angle[k]);
    probe.feature.A = line_feature(from, along, FeatureClass::edge, 0, rounding).feature;
    probe.feature.B = rim.feature;
    follow(probe, {}, {});
    const double s = probe.feature.A.parameter;
    if (!(s > 0.0 && s < length)) continue;
    const double theta = probe.feature.B.parameter;
    const Vector3d radial(std::cos(theta), std::sin(theta), 0.0);
    const Vector3d inward = into_side(body, cap, radial);
    // Out of the rim, between the normals of cap and side.
    Vector3d n = probe.n_W;
    if (n.dot(radial) - n.dot(inward) < 0.0) n = -n;
    if (n.dot(radial) < -kNormalSlack || n.dot(inward) > kNormalSlack) continue;
    const Vector3d on_rim = cap_height(body, cap) * Vector3d::UnitZ() + body.radius * radial;
    const Vector3d tangent(-radial.y(), radial.x(), 0.0);
    // Where rim and line run parallel the cross product is no normal: other features are nearer.
    const Vector3d d = from + s * along - on_rim;
    if ((d - n * n.dot(d)).norm() > 1e-9 * (body.radius + d.norm())) continue;
    RimCrossing& crossing = found[count];
    crossing.rim = rim;
    crossing.rim.feature.parameter = theta;
    crossing.gap = n.dot(d);
    crossing.sign = tangent.cross(along).dot(n) > 0.0 ? 1.0 : -1.0;
    crossing.rim.name = crossing_rim_name(cap, crossing.sign);
    crossing.normal = n;
    crossing.stands =
        rounding > 0.0 || !is_short_chord(tangent.cross(along).norm(), std::abs(along.z()));
    bool again = false;
    for (int other = 0; other < count; ++other) {
      again =
          again || (feature_point(found[other].rim.feature) - on_rim).norm() < 1e-6 * body.radius;
    }
    if (!again) ++count;
  }
  return count;
}

template <typename Round>
std::optional<ChordMiddle> short_chord(const Round& body, int cap, const Vector3d& from,
                                       const Vector3d& to) {
  const double length = (to - from).norm();
  const Vector3d along = (to - from) / length;
  const double flat = along.head<2>().norm();
  const double s = -along.head<2>().dot(from.head<2>()) / (flat * flat);
  if (!(s > 0.0 && s < length)) return std::nullopt;
  const Vector3d middle = from + s * along;
  const double from_axis = middle.head<2>().norm() / body.radius;
  if (from_axis > 1.0) return std::nullopt;
  const double cosine = from_axis * flat;  // between line and rim, at both ends of the chord
  const double sine = std::sqrt(std::max(0.0, 1.0 - cosine * cosine));
  if (!is_short_chord(sine, std::abs(along.z()))) return std::nullopt;
  const NamedFeature face = cap_feature(body, cap);
  return ChordMiddle{s, face.feature.a.dot(middle - face.feature.p)};
}

template std::optional<ChordMiddle> short_chord(const Cylinder&, int, const Vector3d&,
                                                const Vector3d&);
template std::optional<ChordMiddle> short_chord(const Cone&, int, const Vector3d&, const Vector3d&);
template int cross_rim(const Cylinder&, int, const Vector3d&, const Vector3d&, double,
                       RimCrossing (&)[4]);
template int cross_rim(const Cone&, int, const Vector3d&, const Vector3d&, double,
                       RimCrossing (&)[4]);

}  // namespace pequod
