#include "core/dynamics.h"

namespace pequod {
namespace {

struct Wrench {
  Vector3d angular, linear;  // about O
};

// I A.
Wrench inertia_times(const LinkKinematics& k, const Vector3d& w, const Vector3d& v) {
  return {k.I * w + k.h.cross(v), k.m * v + w.cross(k.h)};
}

// f = I A + V ×* (I V) for every link, summed to the root and projected onto the joints.
void newton_euler(const Model& model, const Kinematics& kin, const std::vector<Wrench>* extra,
                  VectorXd& tau, std::vector<Wrench>& f) {
  f.resize(model.links.size());
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const LinkKinematics& k = kin.links[i];
    Vector3d alpha = k.alpha_O;
    Vector3d a = k.a_O - model.gravity;
    if (extra) {
      alpha += (*extra)[i].angular;
      a += (*extra)[i].linear;
    }
    const Wrench force = inertia_times(k, alpha, a);
    const Wrench momentum = inertia_times(k, k.w, k.v_O);
    f[i].angular = force.angular + k.w.cross(momentum.angular) + k.v_O.cross(momentum.linear);
    f[i].linear = force.linear + k.w.cross(momentum.linear);
  }
  tau.resize(model.nv);
  for (std::size_t i = model.links.size(); i-- > 0;) {
    const Link& link = model.links[i];
    const Joint& joint = link.joint;
    for (int j = joint.v_index; j < joint.v_index + velocity_count(joint.type); ++j)
      tau[j] = kin.S.col(j).head<3>().dot(f[i].angular) + kin.S.col(j).tail<3>().dot(f[i].linear);
    if (link.parent < 0) continue;
    Wrench& parent = f[static_cast<std::size_t>(link.parent)];
    parent.angular += f[i].angular;
    parent.linear += f[i].linear;
  }
}

}  // namespace

void bias_force(const Model& model, const Kinematics& kin, VectorXd& h) {
  thread_local std::vector<Wrench> f;  // workspace only: written before it is read
  newton_euler(model, kin, nullptr, h, f);
}

void inverse_dynamics(const Model& model, const Kinematics& kin, const VectorXd& vdot,
                      VectorXd& tau) {
  std::vector<Wrench> extra(model.links.size()), f;
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const Link& link = model.links[i];
    Wrench A{Vector3d::Zero(), Vector3d::Zero()};
    if (link.parent >= 0) A = extra[static_cast<std::size_t>(link.parent)];
    for (int j = link.joint.v_index; j < link.joint.v_index + velocity_count(link.joint.type);
         ++j) {
      A.angular += kin.S.col(j).head<3>() * vdot[j];
      A.linear += kin.S.col(j).tail<3>() * vdot[j];
    }
    extra[i] = A;
  }
  newton_euler(model, kin, &extra, tau, f);
  for (const Link& link : model.links)
    for (int k = 0; k < velocity_count(link.joint.type); ++k)
      tau[link.joint.v_index + k] += link.joint.armature * vdot[link.joint.v_index + k];
}

void compute_mass_matrix(const Model& model, const Kinematics& kin, MassMatrix& M) {
  thread_local std::vector<LinkKinematics> composite;  // workspace only
  composite.resize(model.links.size());
  M.blocks.assign(static_cast<std::size_t>(model.mass_size), 0.0);
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    composite[i].m = kin.links[i].m;
    composite[i].h = kin.links[i].h;
    composite[i].I = kin.links[i].I;
  }
  for (std::size_t i = model.links.size(); i-- > 0;) {
    const Link& link = model.links[i];
    const Tree& tree = model.trees[static_cast<std::size_t>(link.tree)];
    double* block = M.blocks.data() + tree.mass_offset;
    const Joint& joint = link.joint;
    for (int j = joint.v_index + velocity_count(joint.type) - 1; j >= joint.v_index; --j) {
      const Wrench F = inertia_times(composite[i], kin.S.col(j).head<3>(), kin.S.col(j).tail<3>());
      double* row = block + (j - tree.first_v) * tree.nv;
      for (int k = j; k >= 0; k = model.dof_parent[static_cast<std::size_t>(k)])
        row[k - tree.first_v] =
            kin.S.col(k).head<3>().dot(F.angular) + kin.S.col(k).tail<3>().dot(F.linear);
      row[j - tree.first_v] += joint.armature;
    }
    if (link.parent < 0) continue;
    LinkKinematics& parent = composite[static_cast<std::size_t>(link.parent)];
    parent.m += composite[i].m;
    parent.h += composite[i].h;
    parent.I += composite[i].I;
  }
}

MatrixXd MassMatrix::dense(const Model& model) const {
  MatrixXd M = MatrixXd::Zero(model.nv, model.nv);
  for (const Tree& tree : model.trees)
    for (int i = 0; i < tree.nv; ++i)
      for (int j = 0; j <= i; ++j)
        M(tree.first_v + i, tree.first_v + j) = M(tree.first_v + j, tree.first_v + i) =
            blocks[static_cast<std::size_t>(tree.mass_offset + i * tree.nv + j)];
  return M;
}

double kinetic_energy(const Model& model, const Kinematics& kin, const VectorXd& v) {
  double energy = 0.0;
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const LinkKinematics& k = kin.links[i];
    const Wrench momentum = inertia_times(k, k.w, k.v_O);
    energy += 0.5 * (k.w.dot(momentum.angular) + k.v_O.dot(momentum.linear));
    const Joint& joint = model.links[i].joint;
    if (joint.armature != 0.0)
      energy +=
          0.5 * joint.armature * v.segment(joint.v_index, velocity_count(joint.type)).squaredNorm();
  }
  return energy;
}

double potential_energy(const Model& model, const Kinematics& kin) {
  double energy = 0.0;
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const LinkKinematics& k = kin.links[i];
    const Vector3d& O = kin.origins[static_cast<std::size_t>(model.links[i].tree)];
    energy -= model.gravity.dot(k.h + k.m * O);
  }
  return energy;
}

}  // namespace pequod
