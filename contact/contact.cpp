#include "contact/contact.h"

#include <algorithm>
#include <cmath>

namespace pequod {
namespace {

// Cosine of the angle between a normal and the x axis from which on the first tangent lies along
// the y axis. No level ground, wall or slope that people build has such a normal: of two axes that
// are as far from it, rounding would choose, and another one in each stage of a step.
constexpr double kAlongX = 0.9;

}  // namespace

bool have_same_rows(std::span<const Contact> a, std::span<const Contact> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Contact& x, const Contact& y) {
    return x.key == y.key && x.p_W == y.p_W && x.n_W == y.n_W;
  });
}

void set_tangents(Contact& contact) {
  const Vector3d& n = contact.n_W;
  const int axis = std::abs(n.x()) < kAlongX ? 0 : 1;
  contact.s_W = (Vector3d::Unit(axis) - n[axis] * n).normalized();
  contact.t_W = n.cross(contact.s_W);
}

Vector3d relative_velocity(const Model& model, const Kinematics& kin, const Contact& contact) {
  return point_velocity(model, kin, contact.link_b, contact.p_W) -
         point_velocity(model, kin, contact.link_a, contact.p_W);
}

double normal_velocity(const Model& model, const Kinematics& kin, const Contact& contact,
                       const VectorXd& v) {
  if (is_joint_limit(contact.key)) {
    const Joint& joint = nth(model.links, contact.link_b).joint;
    return contact.sign * v[joint.v_index];
  }
  return contact.n_W.dot(relative_velocity(model, kin, contact));
}

void add_contact_row(const Model& model, const Kinematics& kin, const Contact& contact,
                     const Vector3d& d_W, double scale, VectorXd& row) {
  add_point_row(model, kin, contact.link_b, contact.p_W, d_W, scale, row);
  add_point_row(model, kin, contact.link_a, contact.p_W, d_W, -scale, row);
}

}  // namespace pequod
