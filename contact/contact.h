// A contact as the contact stage sees it.
#pragma once

#include <span>
#include <vector>

#include "core/dynamics.h"
#include "core/model.h"
#include "core/shape.h"

namespace pequod {

/// One contact point between links a and b, or a joint limit (is_joint_limit(key), link_b the
/// joint's link, normal and point unused, `sign` the direction of its row).
struct Contact {
  ContactKey key;
  int link_a = -1, link_b = -1;                               ///< −1 the world
  Vector3d p_W = Vector3d::Zero();                            ///< m
  Vector3d n_W = Vector3d::UnitZ();                           ///< unit, from a to b
  Vector3d s_W = Vector3d::UnitX(), t_W = Vector3d::UnitY();  ///< tangents, right-handed with n
  double gap = kNaN;                                          ///< m
  double bias = 0.0;                                          ///< m/s², Ṅ v
  double sign = 0.0;                                          ///< joint limit: +1 lower, −1 upper
  Surface surface;
};

/// Whether the rows of contacts are the same where the bodies are: features, places and normals.
[[nodiscard]] bool have_same_rows(std::span<const Contact> a, std::span<const Contact> b);

/// Tangents that depend on the normal alone, so that a run repeats bit for bit.
void set_tangents(Contact& contact);

/// Relative velocity of b against a at the contact point along d, m/s; for a joint limit the
/// velocity away from the limit.
[[nodiscard]] double normal_velocity(const Model& model, const Kinematics& kin,
                                     const Contact& contact, const VectorXd& v);
[[nodiscard]] Vector3d relative_velocity(const Model& model, const Kinematics& kin,
                                         const Contact& contact);

/// Adds scale · the row of that velocity along d_W (Model::nv long), which is also the generalised
/// force of d_W on b and −d_W on a. Not of joint limits.
void add_contact_row(const Model& model, const Kinematics& kin, const Contact& contact,
                     const Vector3d& d_W, double scale, VectorXd& row);

}  // namespace pequod
