#include "simulation/trial/free_momentum.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <span>

#include "simulation/trial/free_bodies.h"
#include "simulation/trial/steps.h"

namespace pequod {
namespace {

std::span<const Tree> tree_at(const Model& model, int t) {
  return std::span<const Tree>(model.trees).subspan(static_cast<std::size_t>(t), 1);
}

void place_trees(const Model& model, std::span<const int> trees, const VectorXd& q,
                 const VectorXd& v, Kinematics& kin) {
  make_room(model, kin);
  for (const int t : trees) {
    compute_positions(model, tree_at(model, t), q, kin);
    compute_velocities(model, tree_at(model, t), v, kin);
  }
}

MassCentre centre_of(const Model& model, const Kinematics& kin, std::span<const int> trees) {
  MassCentre sum;
  for (const int t : trees) {
    const Tree& tree = nth(model.trees, t);
    const MassCentre own = mass_centre(model, kin, tree.first_link, tree.links);
    sum.mass += own.mass;
    sum.position += own.mass * own.position;
    sum.velocity += own.mass * own.velocity;
  }
  sum.position /= sum.mass;
  sum.velocity /= sum.mass;
  return sum;
}

// f(link, its tree's origin seen from the centre of mass) of all links of these trees.
template <typename F>
void for_each_link(const Model& model, const Kinematics& kin, std::span<const int> trees,
                   const MassCentre& centre, const F& f) {
  for (const int t : trees) {
    const Tree& tree = nth(model.trees, t);
    const Vector3d from = nth(kin.origins, t) - centre.position;
    for (int i = tree.first_link; i < tree.first_link + tree.links; ++i) f(nth(kin.links, i), from);
  }
}

// kg m²/s, about the centre of mass.
Vector3d angular_momentum(const Model& model, const Kinematics& kin, std::span<const int> trees,
                          const MassCentre& centre) {
  Vector3d sum = Vector3d::Zero();
  for_each_link(model, kin, trees, centre, [&](const LinkKinematics& link, const Vector3d& from) {
    const Vector3d momentum = link.m * link.v_O + link.w.cross(link.h);
    sum += link.I * link.w + link.h.cross(link.v_O) + from.cross(momentum);
  });
  return sum;
}

// kg m², of the trees as one body about its centre of mass.
Matrix3d composite_inertia(const Model& model, const Kinematics& kin, std::span<const int> trees,
                           const MassCentre& centre) {
  Matrix3d sum = Matrix3d::Zero();
  for_each_link(model, kin, trees, centre, [&](const LinkKinematics& link, const Vector3d& from) {
    const double shift = link.m * from.squaredNorm() + 2.0 * from.dot(link.h);
    sum += link.I + shift * Matrix3d::Identity() - link.m * from * from.transpose() -
           from * link.h.transpose() - link.h * from.transpose();
  });
  return sum;
}

// Turns and moves trees at q as one body, to this momentum.
void give(const StepTask& task, std::span<const int> trees, const FreeMomentum& momentum,
          const VectorXd& q, Kinematics& kin, VectorXd& v) {
  const Model& model = task.model();
  place_trees(model, trees, q, v, kin);
  const MassCentre centre = centre_of(model, kin, trees);
  const Vector3d lacks = momentum.angular - angular_momentum(model, kin, trees, centre);
  const Vector3d turn = composite_inertia(model, kin, trees, centre).llt().solve(lacks);
  for (const int t : trees) {
    const Tree& tree = nth(model.trees, t);
    const Vector3d base = nth(kin.links, tree.first_link).X_WL.p - centre.position;
    v.segment<3>(tree.first_v) += turn;
    v.segment<3>(tree.first_v + 3) += momentum.velocity - centre.velocity + turn.cross(base);
  }
}

void measure(const StepTask& task, std::span<const int> trees, const Kinematics& kin,
             FreeMomentum& out) {
  const MassCentre centre = centre_of(task.model(), kin, trees);
  out.velocity = centre.velocity;
  out.angular = angular_momentum(task.model(), kin, trees, centre);
}

bool has_joints(const Model& model, const Island& island) {
  return std::ranges::any_of(island.trees, [&](int t) { return nth(model.trees, t).links > 1; });
}

}  // namespace

bool is_free(const Model& model, const StepStart& start, const Island& island) {
  const auto is_fixed = [&](int link) { return tree_of(model, link) < 0; };
  for (const int t : island.trees) {
    const Link& base = nth(model.links, nth(model.trees, t).first_link);
    if (base.joint.type != JointType::free) return false;
  }
  for (const int i : island.contacts) {
    const Contact& contact = nth(start.touching.contacts, i);
    const bool has_first = !is_joint_limit(contact.key);  // a limit has one link alone
    if (is_fixed(contact.link_b) || (has_first && is_fixed(contact.link_a))) return false;
  }
  return std::ranges::none_of(island.loops, [&](int i) {
    const Loop& loop = nth(model.loops, i);
    return is_fixed(loop.link_a) || is_fixed(loop.link_b);
  });
}

MassCentre mass_centre(const Model& model, const Kinematics& kin, const Island& island) {
  return centre_of(model, kin, island.trees);
}

void find_free_momenta(const StepTask& task, double tau, const Trial& trial,
                       FreeMomentumBuffers& buffers) {
  const Model& model = task.model();
  const std::vector<Island>& all = task.start.impulses.islands;
  auto& [islands, trees, q, v, kin] = buffers;
  islands.clear();
  trees.clear();
  if (!task.start.joined.empty()) return;  // they move as one
  for (std::size_t k = 0; k < all.size(); ++k)
    if (is_free(model, task.start, all[k]) &&
        !(task.method.symplectic && has_joints(model, all[k])))
      islands.push_back({k});
  if (islands.empty()) return;
  q = trial.state.q;
  v = trial.v_free;
  if (task.method.symplectic) {
    VectorXd& move = task.workspace.end.move;
    move = tau * v;
    integrate_position(model, task.start.state.q, move, q);
    end_turns(task.start.terms, tau, trial.v_free, trial.v_free, task.workspace.end.turning, q, v);
  }
  for (FreeMomentum& island : islands) {
    const std::vector<int>& own = all[island.of].trees;
    place_trees(model, own, q, v, kin);
    measure(task, own, kin, island);
    for (const int t : own) {
      if (nth(model.trees, t).links == 1) continue;
      trees.push_back({static_cast<std::size_t>(t)});
      measure(task, std::array{t}, kin, trees.back());
    }
  }
}

void add_impulses(const StepTask& task, const Trial& trial, FreeMomentumBuffers& buffers) {
  if (buffers.trees.empty()) return;
  buffers.v = trial.state.v - trial.v_free;
  for (FreeMomentum& tree : buffers.trees) {
    const std::array own{static_cast<int>(tree.of)};
    FreeMomentum given;
    place_trees(task.model(), own, task.start.state.q, buffers.v, buffers.kin);
    measure(task, own, buffers.kin, given);
    tree.velocity += given.velocity;
    tree.angular += given.angular;
  }
}

void keep_tree_momenta(const StepTask& task, const VectorXd& q, FreeMomentumBuffers& buffers,
                       VectorXd& v) {
  for (const FreeMomentum& tree : buffers.trees)
    give(task, std::array{static_cast<int>(tree.of)}, tree, q, buffers.kin, v);
}

void keep_momenta(const StepTask& task, FreeMomentumBuffers& buffers, Trial& trial) {
  const VectorXd& q = trial.state.q;
  VectorXd& v = trial.state.v;
  keep_tree_momenta(task, q, buffers, v);
  for (const FreeMomentum& island : buffers.islands)
    give(task, task.start.impulses.islands[island.of].trees, island, q, buffers.kin, v);
}

}  // namespace pequod
