#include "app/certify/followed.h"

#include <array>
#include <cmath>

#include "core/state.h"
#include "simulation/contact_motion.h"

namespace pequod::app::certify {
namespace {

// s: differences are rounded to 1e-11 of a velocity over it, and off by its square.
constexpr double kAhead = 1e-5;

// The rows stay those of `here`: what turns is the velocity's part along them and they themselves.
std::vector<Vector3d> velocities_at(const Model& model, const VectorXd& q, const VectorXd& v,
                                    const Touching& here) {
  Kinematics kin;
  compute_kinematics(model, q, v, kin);
  std::vector<Pose> X_WL;
  copy_poses(kin, X_WL);
  Touching there = here;
  follow_touching(model, X_WL, q, there);
  std::vector<Vector3d> velocities;
  for (std::size_t i = 0; i < there.size(); ++i) {
    const Contact& contact = there.contacts[i];
    if (is_joint_limit(contact.key)) {
      velocities.emplace_back(normal_velocity(model, kin, contact, v), 0.0, 0.0);
      continue;
    }
    const Vector3d u = relative_velocity(model, kin, contact);
    // Tangents of the start: only a slip that there is would tell them from those that turn.
    velocities.emplace_back(contact.n_W.dot(u), here.contacts[i].s_W.dot(u),
                            here.contacts[i].t_W.dot(u));
  }
  return velocities;
}

}  // namespace

std::vector<Vector3d> followed_rates(const Model& model, const VectorXd& q, const VectorXd& v,
                                     const VectorXd& vdot, const Touching& touching) {
  VectorXd ahead, behind;
  integrate_position(model, q, kAhead * v + 0.5 * kAhead * kAhead * vdot, ahead);
  integrate_position(model, q, -kAhead * v + 0.5 * kAhead * kAhead * vdot, behind);
  std::vector<Vector3d> rates = velocities_at(model, ahead, v + kAhead * vdot, touching);
  const std::vector<Vector3d> before = velocities_at(model, behind, v - kAhead * vdot, touching);
  for (std::size_t i = 0; i < rates.size(); ++i) rates[i] = (rates[i] - before[i]) / (2.0 * kAhead);
  return rates;
}

Vector3d velocity_of(const Model& model, const Kinematics& kin, const Contact& contact,
                     const VectorXd& v) {
  if (is_joint_limit(contact.key)) return {normal_velocity(model, kin, contact, v), 0.0, 0.0};
  const Vector3d u = relative_velocity(model, kin, contact);
  return {contact.n_W.dot(u), contact.s_W.dot(u), contact.t_W.dot(u)};
}

double unit_of(const Model& model, const Kinematics& kin, const MassFactor& factor,
               const Contact& contact) {
  VectorXd row = VectorXd::Zero(model.nv);
  double trace = 0.0;
  const auto add = [&] {
    VectorXd response = row;
    factor.solve(model, response);
    trace += row.dot(response);
  };
  if (is_joint_limit(contact.key)) {
    row[model.links[static_cast<std::size_t>(contact.link_b)].joint.v_index] = 1.0;
    add();
    return 1.0 / std::sqrt(trace);
  }
  for (const Vector3d& direction : {contact.n_W, contact.s_W, contact.t_W}) {
    row.setZero();
    if (contact.link_b >= 0)
      add_point_row(model, kin, contact.link_b, contact.p_W, direction, 1.0, row);
    if (contact.link_a >= 0)
      add_point_row(model, kin, contact.link_a, contact.p_W, direction, -1.0, row);
    add();
  }
  return trace > 0.0 ? 1.0 / std::sqrt(trace / 3.0) : 0.0;
}

}  // namespace pequod::app::certify
