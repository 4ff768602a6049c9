// Helper of the contact finders: builds, names and keeps contact points.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "events/feature_pair.h"

namespace pequod {

/// What an index in a contact's name counts.
enum class FeatureClass : std::uint32_t { vertex, edge, face, rim, rim_point, axis, triangle };

/// A feature with the half of the contact's key that names it.
struct NamedFeature {
  Feature feature;
  std::uint32_t name = 0;
};

[[nodiscard]] constexpr std::uint32_t feature_name(FeatureClass what, int index) {
  return static_cast<std::uint32_t>(what) << 28 | static_cast<std::uint32_t>(index);
}

[[nodiscard]] constexpr bool is_of(FeatureClass what, std::uint32_t name) {
  return name >> 28 == static_cast<std::uint32_t>(what);
}
[[nodiscard]] constexpr int feature_index(std::uint32_t name) {
  return static_cast<int>(name & 0x0fffffffu);
}

[[nodiscard]] inline NamedFeature point_feature(const Vector3d& p, FeatureClass what, int index,
                                                double rounding = 0.0) {
  NamedFeature out;
  out.feature.p = p;
  out.feature.rounding = rounding;
  out.name = feature_name(what, index);
  return out;
}

/// @param direction  unit
[[nodiscard]] inline NamedFeature line_feature(const Vector3d& p, const Vector3d& direction,
                                               FeatureClass what, int index,
                                               double rounding = 0.0) {
  NamedFeature out = point_feature(p, what, index, rounding);
  out.feature.kind = FeatureKind::line;
  out.feature.a = direction;
  return out;
}

/// The point of a line at its parameter s (m), with the line's name.
[[nodiscard]] inline NamedFeature point_of(const NamedFeature& line, double s) {
  NamedFeature out;
  out.feature.p = line.feature.p + s * line.feature.a;
  out.feature.rounding = line.feature.rounding;
  out.name = line.name;
  return out;
}

/// @param normal  unit, outward
[[nodiscard]] inline NamedFeature face_feature(const Vector3d& p, const Vector3d& normal,
                                               int index) {
  NamedFeature out = point_feature(p, FeatureClass::face, index);
  out.feature.kind = FeatureKind::face;
  out.feature.a = normal;
  return out;
}

[[nodiscard]] inline NamedFeature rim_feature(double z, double radius, int index,
                                              double parameter = 0.0) {
  NamedFeature out = point_feature({0.0, 0.0, z}, FeatureClass::rim, index);
  out.feature.kind = FeatureKind::circle;
  out.feature.radius = radius;
  out.feature.parameter = parameter;
  return out;
}

/// The name of a cap's rim where it crosses another curve: it may do so twice, and the tangents'
/// cross product then has another sign against the normal.
/// @param sign  for FeaturePair
[[nodiscard]] constexpr std::uint32_t crossing_rim_name(int cap, double sign) {
  return feature_name(FeatureClass::rim, cap + (sign < 0.0 ? 2 : 0));
}

/// What a contact's key calls the feature of shape a, or b.
[[nodiscard]] constexpr std::uint32_t name_of(const ContactKey& key, bool of_b) {
  return static_cast<std::uint32_t>(of_b ? key.feature : key.feature >> 32);
}

/// The rim points that contacts of two shapes name, of one of these shapes.
struct RimPoints {
  std::span<const ContactKey> keys;
  int shape_a = -1, shape_b = -1;
  bool of_b = false;  ///< of shape b

  template <typename Visit>
  void visit(Visit visit) const {
    for (const ContactKey& key : keys) {
      if (key.shape_a != shape_a || key.shape_b != shape_b) continue;
      const std::uint32_t name = name_of(key, of_b);
      if (is_of(FeatureClass::rim_point, name)) visit(feature_index(name));
    }
  }
};

/// Two bodies in the roles P and Q of a finder; `swapped` says that P is shape B of the contact.
struct ContactSink {
  const Pose& X_WP;
  const Pose& X_WQ;
  int shape_a, shape_b;
  bool swapped;
  double range;  ///< m
  std::vector<ContactPoint>& out;
  std::span<const ContactKey> rims = {};  ///< contacts whose rim points are looked at too
  const ContactKey* wanted = nullptr;     ///< if there is one, others may be left out

  /// Whether contacts with this feature of Q are asked for.
  [[nodiscard]] bool wants(std::uint32_t name_Q) const {
    return !wanted || name_of(*wanted, !swapped) == name_Q;
  }

  [[nodiscard]] RimPoints rim_points() const { return {rims, shape_a, shape_b, swapped}; }

  /// The part of the key that names the features.
  [[nodiscard]] std::uint64_t name(std::uint32_t name_P, std::uint32_t name_Q) const {
    const std::uint64_t upper = swapped ? name_Q : name_P, lower = swapped ? name_P : name_Q;
    return upper << 32 | lower;
  }

  /// The same contacts with the roles exchanged.
  [[nodiscard]] ContactSink exchanged() const {
    return {X_WQ, X_WP, shape_a, shape_b, !swapped, range, out, rims, wanted};
  }

  /// Appends a contact with its key; the caller fills the rest.
  ContactPoint& append(std::uint32_t name_P, std::uint32_t name_Q) const {
    ContactPoint& contact = out.emplace_back();
    contact.key = {shape_a, shape_b, name(name_P, name_Q)};
    return contact;
  }

  /// Appends the contact if its gap is within range.
  /// @param sign  of two curves, so that n points from P to Q
  /// @param n_W   from P to Q, taken where the features leave it undefined
  /// @return whether it was kept
  bool add(const NamedFeature& P, const NamedFeature& Q, double sign = 1.0,
           const Vector3d& n_W = Vector3d::UnitZ()) const {
    ContactPoint& contact = append(P.name, Q.name);
    (swapped ? contact.feature.B : contact.feature.A) = P.feature;
    (swapped ? contact.feature.A : contact.feature.B) = Q.feature;
    // Swapping turns both the cross product and the normal: the sign stays.
    contact.feature.sign = sign;
    contact.n_W = swapped ? Vector3d(-n_W) : n_W;
    follow(contact, swapped ? X_WQ : X_WP, swapped ? X_WP : X_WQ);
    const bool near = contact.gap <= range;
    if (!near) out.pop_back();
    return near;
  }

  /// Q's side of the contact added last.
  [[nodiscard]] Feature& feature_of_Q() const {
    FeaturePair& pair = out.back().feature;
    return swapped ? pair.A : pair.B;
  }

  /// Takes back the contact added last, at p_W, if the corner of P of one of those from `first` to
  /// `last` stands there and is about as near: where two corners meet, one of both is enough. One
  /// that is still far stands for no nearer one.
  void drop_repeated(std::size_t first, std::size_t last, const Vector3d& p_W, double slack) const {
    const double gap = out.back().gap;
    const auto stands_for_it = [&](const ContactPoint& contact) {
      const Feature& corner = swapped ? contact.feature.B : contact.feature.A;
      return contact.gap - gap <= 0.5 * std::abs(gap) + slack &&
             (X_WP * corner.p - p_W).norm() < std::abs(contact.gap) + slack;
    };
    const std::span<const ContactPoint> before(out.data() + first, last - first);
    if (std::ranges::any_of(before, stands_for_it)) out.pop_back();
  }
};

}  // namespace pequod
