#include "core/state.h"

#include <algorithm>
#include <span>

#include "core/dynamics.h"
#include "core/tree_parts.h"

namespace pequod {
namespace {

template <typename Vector>
Quaterniond read_quaternion(const Vector& q, int i) {
  return {q[i], q[i + 1], q[i + 2], q[i + 3]};
}

template <typename Vector>
void write_quaternion(const Quaterniond& quaternion, Vector& q, int i) {
  q[i] = quaternion.w();
  q[i + 1] = quaternion.x();
  q[i + 2] = quaternion.y();
  q[i + 3] = quaternion.z();
}

// Index of a joint's quaternion in q, or −1.
int quaternion_index(const Joint& joint) {
  if (joint.type == JointType::free) return joint.q_index + 3;
  return joint.type == JointType::spherical ? joint.q_index : -1;
}

}  // namespace

Quaterniond quaternion_exp(const Vector3d& a) {
  const double half = 0.5 * a.norm();
  // sin(x)/x by its series where the quotient would lose digits.
  const double s = half < 1e-4 ? 0.5 * (1.0 - half * half / 6.0) : 0.5 * std::sin(half) / half;
  return {std::cos(half), s * a.x(), s * a.y(), s * a.z()};
}

Matrix3d rotation_exp(const Vector3d& a) { return quaternion_exp(a).toRotationMatrix(); }

std::vector<ContactMode>::const_iterator first_mode(const State& state, const ContactKey& key) {
  return std::ranges::lower_bound(state.mode, key, {}, &ContactMode::key);
}

const ContactMode* find_mode(const State& state, const ContactKey& key) {
  const auto found = first_mode(state, key);
  return found != state.mode.end() && found->key == key ? &*found : nullptr;
}

const ContactMode* ModeFinder::find(const ContactKey& key) {
  const std::vector<ContactMode>& modes = state_->mode;
  if (next_ < modes.size() && modes[next_].key == key) return &modes[next_++];
  const ContactMode* found = find_mode(*state_, key);
  if (found) next_ = static_cast<std::size_t>(found - modes.data()) + 1;
  return found;
}

void sort_modes(State& state) {
  if (std::ranges::is_sorted(state.mode, {}, &ContactMode::key)) return;  // as they mostly come
  std::ranges::sort(state.mode, {}, &ContactMode::key);
}

State make_state(const Model& model) {
  State state;
  state.q = VectorXd::Zero(model.nq);
  state.v = VectorXd::Zero(model.nv);
  state.tau = VectorXd::Zero(model.nv);
  for (const Link& link : model.links)
    if (const int i = quaternion_index(link.joint); i >= 0) state.q[i] = 1.0;
  return state;
}

namespace {

void integrate_joint(const Joint& joint, const VectorXd& d, VectorXd& q) {
  const int i = joint.q_index, j = joint.v_index;
  switch (joint.type) {
    case JointType::free: {
      q.segment<3>(i) += d.segment<3>(j + 3);
      const Quaterniond rotated = quaternion_exp(d.segment<3>(j)) * read_quaternion(q, i + 3);
      write_quaternion(rotated.normalized(), q, i + 3);
      break;
    }
    case JointType::spherical: {
      const Quaterniond rotated = read_quaternion(q, i) * quaternion_exp(d.segment<3>(j));
      write_quaternion(rotated.normalized(), q, i);
      break;
    }
    case JointType::revolute:
    case JointType::prismatic:
      q[i] += d[j];
  }
}

// Coordinates of joints that have one each stand side by side.
void integrate_tree(const Model& model, const Tree& tree, const VectorXd& d, VectorXd& q) {
  const Joint& first = nth(model.links, tree.first_link).joint;
  integrate_joint(first, d, q);
  const int coordinates = velocity_count(first.type), behind = tree.links - 1;
  if (tree.nv == coordinates + behind) {
    q.segment(first.q_index + position_count(first.type), behind) +=
        d.segment(first.v_index + coordinates, behind);
    return;
  }
  for (int k = tree.first_link + 1; k < tree.first_link + tree.links; ++k)
    integrate_joint(nth(model.links, k).joint, d, q);
}

}  // namespace

void integrate_position(const Model& model, const VectorXd& q, const VectorXd& d, VectorXd& out,
                        const Team* team) {
  if (&out != &q) out = q;
  for_each_index(
      team, model.trees.size(), 4 * trees_of_part(model),
      [&](std::size_t t, std::size_t) { integrate_tree(model, model.trees[t], d, out); });
}

void position_rate(const Model& model, const VectorXd& q, const VectorXd& v,
                   Eigen::Ref<VectorXd> qdot) {
  for (const Link& link : model.links) {
    const Joint& joint = link.joint;
    const int i = joint.q_index, j = joint.v_index;
    switch (joint.type) {
      case JointType::free: {
        qdot.segment<3>(i) = v.segment<3>(j + 3);
        const Quaterniond w(0.0, 0.5 * v[j], 0.5 * v[j + 1], 0.5 * v[j + 2]);
        write_quaternion(w * read_quaternion(q, i + 3), qdot, i + 3);
        break;
      }
      case JointType::spherical: {
        const Quaterniond w(0.0, 0.5 * v[j], 0.5 * v[j + 1], 0.5 * v[j + 2]);
        write_quaternion(read_quaternion(q, i) * w, qdot, i);
        break;
      }
      case JointType::revolute:
      case JointType::prismatic:
        qdot[i] = v[j];
    }
  }
}

void normalise_quaternions(const Model& model, Eigen::Ref<VectorXd> q) {
  for (const Link& link : model.links)
    if (const int i = quaternion_index(link.joint); i >= 0) q.segment<4>(i).normalize();
}

}  // namespace pequod
