#include "app/certify/step_terms.h"

#include <algorithm>
#include <cmath>

#include "app/certify/followed.h"
#include "simulation/loop/instant.h"
#include "simulation/trial/tolerances.h"

namespace pequod::app::certify {
namespace {

// @param buffer  zero, and so again afterwards
void take_force(const Model& model, const Kinematics& kin, int link, const Vector3d& p_W,
                const Vector3d& force_W, VectorXd& buffer, Balance& balance) {
  if (link < 0) return;
  const Tree& tree = nth(model.trees, nth(model.links, link).tree);
  add_wrench(model, kin, link, p_W, force_W, Vector3d::Zero(), buffer);
  balance.take(buffer, tree.first_v, tree.nv);
  buffer.segment(tree.first_v, tree.nv).setZero();
}

struct MovingPoint {
  Vector3d p_W, v_W;
};

MovingPoint end_of(const Model& model, const Kinematics& kin, int link, const Vector3d& p,
                   const VectorXd& v) {
  if (link < 0) return {p, Vector3d::Zero()};
  const Vector3d p_W = nth(kin.links, link).X_WL * p;
  MatrixXd J;
  point_jacobian(model, kin, link, p_W, J);
  return {p_W, J * v};
}

// The pull of a spring and its damper on both of its ends.
void add_pull(const Model& model, const Kinematics& kin, const Spring& spring, const VectorXd& v,
              VectorXd& force) {
  const MovingPoint a = end_of(model, kin, spring.link_a, spring.p_A, v);
  const MovingPoint b = end_of(model, kin, spring.link_b, spring.p_B, v);
  const double length = (b.p_W - a.p_W).norm();
  if (length == 0.0) return;
  const Vector3d along = (b.p_W - a.p_W) / length;
  const double tension =
      spring.stiffness * (length - spring.rest) + spring.damping * along.dot(b.v_W - a.v_W);
  if (spring.link_a >= 0)
    add_wrench(model, kin, spring.link_a, a.p_W, tension * along, Vector3d::Zero(), force);
  if (spring.link_b >= 0)
    add_wrench(model, kin, spring.link_b, b.p_W, -tension * along, Vector3d::Zero(), force);
}

}  // namespace

VectorXd applied_force(const Scenario& scenario, const State& state, const Kinematics& kin,
                       const VectorXd& v) {
  const Model& model = scenario.model;
  VectorXd force = state.tau;
  // A window is closed to the left, and a time is one with others an instant from it.
  const double now = state.t + instant(scenario, state.t);
  for (const ExternalForce& wrench : scenario.forces) {
    if (now < wrench.from || now >= wrench.to) continue;
    const int index = nth(model.frames, wrench.frame).link;
    if (index < 0) continue;
    const Vector3d com = nth(kin.links, index).X_WL * nth(model.links, index).inertia.com;
    add_wrench(model, kin, index, com, wrench.force, wrench.torque, force);
  }
  for (const Link& link : model.links) {
    const int i = link.joint.v_index, n = velocity_count(link.joint.type);
    force.segment(i, n) -= link.joint.damping * v.segment(i, n);
  }
  for (const Spring& spring : model.springs) add_pull(model, kin, spring, v, force);
  return force;
}

double Balance::worst(const Model& model, const MassMatrix& mass, const std::vector<double>& floor,
                      std::span<const char> left_out) const {
  double worst = 0.0;
  for (std::size_t k = 0; k < model.trees.size(); ++k) {
    if (!left_out.empty() && left_out[k]) continue;
    const Tree& tree = model.trees[k];
    double left = 0.0, largest = floor[k];
    for (int i = 0; i < tree.nv; ++i) {
      const double root = std::sqrt(nth(mass.blocks, tree.mass_offset + i * (tree.nv + 1)));
      left = std::max(left, std::abs(left_[tree.first_v + i]) / root);
      largest = std::max(largest, terms_[tree.first_v + i] / root);
    }
    if (left > 0.0) worst = std::max(worst, left / largest);
  }
  return worst;
}

std::vector<double> motion_floors(const Model& model, const Kinematics& kin, const VectorXd& v,
                                  const VectorXd& vdot, double h) {
  Kinematics moving = kin;
  compute_velocities(model, v, moving);
  const std::vector<double> momenta = energy_roots(model, moving, v);
  compute_velocities(model, vdot, moving);  // accelerations in the place of velocities
  std::vector<double> floors = energy_roots(model, moving, vdot);
  for (std::size_t k = 0; k < floors.size(); ++k)
    floors[k] = std::max({floors[k], std::sqrt(model.trees[k].mass) * model.gravity.norm(),
                          kForceNoise * momenta[k] / h});
  return floors;
}

void take_told(const Model& model, const Kinematics& kin, const std::vector<Contact>& contacts,
               const State& told, double factor, Balance& balance) {
  VectorXd buffer = VectorXd::Zero(model.nv);
  for (const JointMode& joint : told.joints) balance.take(joint.coordinate, factor * joint.force);
  for (const Contact& contact : contacts) {
    const ContactMode* mode = find_mode(told, contact.key);
    if (mode == nullptr) continue;
    const Vector3d force_W = factor * mode->force_W;
    if (is_joint_limit(contact.key)) {
      const Link& link = nth(model.links, contact.link_b);
      balance.take(link.joint.v_index, contact.sign * force_W.x());
      continue;
    }
    take_force(model, kin, contact.link_b, contact.p_W, force_W, buffer, balance);
    take_force(model, kin, contact.link_a, contact.p_W, -force_W, buffer, balance);
  }
}

std::vector<double> contact_scales(const Model& model, const std::vector<Contact>& contacts,
                                   const std::vector<double>& roots,
                                   const std::vector<double>& loads) {
  std::vector<double> of_tree = roots;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    for (const int tree : trees_of(model, contacts[i]))
      if (tree >= 0) {
        double& scale = nth(of_tree, tree);
        scale = std::max(scale, loads[i]);
      }
  std::vector<double> scales;
  for (const Contact& contact : contacts) {
    double scale = 0.0;
    for (const int tree : trees_of(model, contact))
      if (tree >= 0) scale = std::max(scale, nth(of_tree, tree));
    scales.push_back(scale);
  }
  return scales;
}

}  // namespace pequod::app::certify
