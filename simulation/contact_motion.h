// How contacts move with their bodies: followed to other poses, and what their gaps and slips do.
#pragma once

#include <vector>

#include "simulation/touching.h"

namespace pequod {

/// Motion of a shape's frame from that of its link.
[[nodiscard]] BodyMotion shape_motion(const Shape& shape, const BodyMotion& link);
/// The same of the shape of this index, with the links at `kin`.
/// @param vdot  or none: with the accelerations that velocities make alone
template <typename... Rate>
[[nodiscard]] BodyMotion shape_motion(const Model& model, const Kinematics& kin, int index,
                                      const Rate&... vdot) {
  const Shape& shape = nth(model.shapes, index);
  return shape_motion(shape, link_motion(model, kin, shape.link, vdot...));
}

// The threads of a team, if one is given, share the links or contacts.

/// Poses of the links alone.
void copy_poses(const Kinematics& kin, std::vector<Pose>& X_WL, const Team* team = nullptr);

/// Where a shape is, with the links at X_WL.
[[nodiscard]] Pose place_shape(const Model& model, const std::vector<Pose>& X_WL, int shape);
[[nodiscard]] Pose place_shape(const Model& model, const Kinematics& kin, int shape);

/// Follows the same features to other link poses: points, normals, tangents, gaps.
void follow_touching(const Model& model, const std::vector<Pose>& X_WL, const VectorXd& q,
                     Touching& touching, const Team* team = nullptr);
void follow_touching(const Model& model, const Kinematics& kin, const VectorXd& q,
                     Touching& touching, const Team* team = nullptr);

/// m, the gap alone of one of them.
[[nodiscard]] double followed_gap(const Model& model, const std::vector<Pose>& X_WL,
                                  const VectorXd& q, const Touching& touching, std::size_t i);

/// Fills Contact::bias (Ṅ v) from the velocities in kin.
void compute_biases(const Model& model, const Kinematics& kin, Touching& touching);

/// The bias of a contact of two shapes, Ṅ v, m/s².
[[nodiscard]] double gap_bias(const Model& model, const Kinematics& kin, const ContactPoint& point);

/// Rate of the slip of a contact that has none, without v̇: Ṡ v and Ṫ v along its tangents, m/s².
[[nodiscard]] Vector3d slip_bias(const Model& model, const Kinematics& kin,
                                 const ContactPoint& point);

/// m/s²: neither |slip_bias()| nor |gap_bias()| is more; +∞ but of a corner or ball over a plane of
/// the world, of which alone this takes less than finding them.
[[nodiscard]] double bias_bound(const Model& model, const Kinematics& kin,
                                const ContactPoint& point);

/// slip_bias() with v̇: rate of the relative velocity at the contact point, m/s².
[[nodiscard]] Vector3d slip_rate(const Model& model, const Kinematics& kin, const VectorXd& vdot,
                                 const ContactPoint& point);

/// Whether neither bias is anything but rounding however the bodies move: of a ball that is a body
/// by itself, told at its centre, over a plane of the world.
[[nodiscard]] bool keeps_rows(const Model& model, const ContactPoint& point);

/// Whether a corner leaves the face below it as it meets it: by the time its gap is below zero by
/// more than what touches still it is over its border. So does that of a box that tips over the
/// edge of a table: what it lies on ends there too, and there is nothing to meet.
[[nodiscard]] bool leaves_face(const Model& model, const Kinematics& kin, const ContactPoint& point,
                               const SceneTolerances& tolerance);

/// φ̈ of a contact for this v̇, m/s².
[[nodiscard]] double gap_acceleration_with(const Model& model, const Kinematics& kin,
                                           const VectorXd& vdot, const ContactPoint& point);

}  // namespace pequod
