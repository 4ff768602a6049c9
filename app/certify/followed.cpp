#include "app/certify/followed.h"

#include <cmath>
#include <span>
#include <utility>

#include "core/state.h"
#include "simulation/contact_motion.h"

namespace pequod::app::certify {
namespace {

// s: short, as features change places with others (a foot that rolls off its edge); differences are
// then rounded to 1e-10 of a velocity.
constexpr double kAhead = 1e-6;

// Along the normals there and the tangents of the start, which turn about the normal by rule alone.
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
    velocities.emplace_back(contact.n_W.dot(u), here.contacts[i].s_W.dot(u),
                            here.contacts[i].t_W.dot(u));
  }
  return velocities;
}

// J M⁻¹ Jᵀ of one row, which is zero again afterwards.
double row_response(const Model& model, const MassFactor& factor, const Contact& contact,
                    VectorXd& row) {
  double response = 0.0;
  const std::array<int, 2> trees = trees_of(model, contact);
  for (const int k : {trees[0], trees[1] == trees[0] ? -1 : trees[1]}) {
    if (k < 0) continue;
    const Tree& tree = nth(model.trees, k);
    auto part = row.segment(tree.first_v, tree.nv);
    factor.solve_L_transposed(model, k, std::span<double>(part.data(), tree.nv));
    response += part.squaredNorm();
    part.setZero();
  }
  return response;
}

double contact_response(const Model& model, const Kinematics& kin, const MassFactor& factor,
                        const Contact& contact, VectorXd& row) {
  if (is_joint_limit(contact.key)) {
    row[nth(model.links, contact.link_b).joint.v_index] = 1.0;
    return row_response(model, factor, contact, row);
  }
  double trace = 0.0;
  for (const Vector3d& direction : {contact.n_W, contact.s_W, contact.t_W}) {
    if (contact.link_b >= 0)
      add_point_row(model, kin, contact.link_b, contact.p_W, direction, 1.0, row);
    if (contact.link_a >= 0)
      add_point_row(model, kin, contact.link_a, contact.p_W, direction, -1.0, row);
    trace += row_response(model, factor, contact, row);
  }
  return trace / 3.0;
}

}  // namespace

std::array<int, 2> trees_of(const Model& model, const Contact& contact) {
  return {tree_of(model, contact.link_a), tree_of(model, contact.link_b)};
}

std::vector<Vector3d> followed_rates(const Model& model, const VectorXd& q, const VectorXd& v,
                                     const VectorXd& vdot, const Touching& touching) {
  std::vector<Vector3d> rates(touching.size(), Vector3d::Zero());
  VectorXd there;
  for (const double ahead : {kAhead, -kAhead}) {
    integrate_position(model, q, ahead * v + 0.5 * ahead * ahead * vdot, there);
    const std::vector<Vector3d> u = velocities_at(model, there, v + ahead * vdot, touching);
    for (std::size_t i = 0; i < rates.size(); ++i) rates[i] += 0.5 / ahead * u[i];
  }
  return rates;
}

Vector3d velocity_of(const Model& model, const Kinematics& kin, const Contact& contact,
                     const VectorXd& v) {
  if (is_joint_limit(contact.key)) return {normal_velocity(model, kin, contact, v), 0.0, 0.0};
  const Vector3d u = relative_velocity(model, kin, contact);
  return {contact.n_W.dot(u), contact.s_W.dot(u), contact.t_W.dot(u)};
}

std::vector<double> contact_units(const Model& model, const Kinematics& kin,
                                  const MassFactor& factor, const std::vector<Contact>& contacts) {
  VectorXd row = VectorXd::Zero(model.nv);
  std::vector<double> units;
  for (const Contact& contact : contacts) {
    const double response = contact_response(model, kin, factor, contact, row);
    units.push_back(response > 0.0 ? 1.0 / std::sqrt(response) : 0.0);
  }
  return units;
}

}  // namespace pequod::app::certify
