#include "core/dynamics.h"

#include <array>

#include "core/clones.h"
#include "core/limb_fours.h"
#include "core/links_beside.h"
#include "core/springs.h"
#include "core/tree_parts.h"
#include "core/whole_vectors.h"

namespace pequod {
namespace {

// I A, of a link or of a composite.
template <typename Body>
Wrench inertia_times(const Body& k, const Vector3d& w, const Vector3d& v) {
  return {k.I * w + k.h.cross(v), k.m * v + w.cross(k.h)};
}

// Inertia of a link or composite, in which m, h and I stand one behind the other.
struct WholeInertia {
  double m;
  Whole h, I[3];
};
template <typename Body>
PEQUOD_INLINE WholeInertia load_inertia(const Body& body) {
  static_assert(offsetof(Body, h) == offsetof(Body, m) + sizeof(double));
  static_assert(offsetof(Body, I) == offsetof(Body, m) + 4 * sizeof(double));
  const double* const I = body.I.data();
  return {
      body.m, load_whole(body.h.data()), {load_whole(I), load_whole(I + 3), load_behind(I + 6)}};
}

// The same as numbers of which nothing but the sum is asked for: to ← to + from, or from.
template <typename From>
PEQUOD_INLINE void add_inertia(const From& from, Composite& to, bool anew) {
  const double* const f = &from.m;
  double* const t = &to.m;
  for (int k = 0; k < 12; k += 4) store(anew ? load(f + k) : load(t + k) + load(f + k), t + k);
  t[12] = anew ? f[12] : t[12] + f[12];
}

struct WholeWrench {
  Whole angular, linear;
};
PEQUOD_INLINE WholeWrench inertia_times(const WholeInertia& k, const Whole& w, const Whole& v) {
  return {times(k.I, w) + cross(k.h, v), k.m * v + cross(w, k.h)};
}

double* numbers(Wrench& f) { return f.angular.data(); }
const double* numbers(const Wrench& f) { return f.angular.data(); }
PEQUOD_INLINE void add(const Wrench& f, Wrench& to) {
  static_assert(sizeof(Wrench) == 6 * sizeof(double));
  store_six(load_six(numbers(to)) + load_six(numbers(f)), numbers(to));
}

// The first link of a tree, and what is behind the last that is not abreast.
std::size_t begin_of(const Tree& tree) { return static_cast<std::size_t>(tree.first_link); }
std::size_t behind_beside(const Tree& tree) { return static_cast<std::size_t>(end_beside(tree)); }

// f = I A + V ×* (I V) for every link, summed to the root and projected onto the joints; without
// more than bias accelerations limbs that are abreast take theirs by themselves.
PEQUOD_CLONES
void newton_euler(const Model& model, const Tree& tree, const Kinematics& kin,
                  const std::vector<Wrench>* extra, VectorXd& tau, std::vector<Wrench>& f) {
  const bool all = extra != nullptr;
  const Whole gravity = {model.gravity.x(), model.gravity.y(), model.gravity.z(), 0.0};
  visit_links(model, tree, all, [&](std::size_t i) {
    const LinkKinematics& k = kin.links[i];
    Whole alpha = load_whole(k.alpha_O.data()), a = load_whole(k.a_O.data()) - gravity;
    if (extra) {
      alpha += load_whole((*extra)[i].angular.data());
      a += load_behind((*extra)[i].linear.data());
    }
    const WholeInertia inertia = load_inertia(k);
    const Whole w = load_whole(k.w.data()), v = load_whole(k.v_O.data());
    const auto force = inertia_times(inertia, alpha, a), momentum = inertia_times(inertia, w, v);
    store_six(six_of(force.angular + cross(w, momentum.angular) + cross(v, momentum.linear),
                     force.linear + cross(w, momentum.linear)),
              numbers(f[i]));
  });
  if (!extra && tree.fours > 0) add(limb_forces(model, tree, kin, tau), f[begin_of(tree)]);
  visit_links_backwards(model, tree, all, [&](std::size_t i) {
    const Link& link = model.links[i];
    const Joint& joint = link.joint;
    const Six own = load_six(numbers(f[i]));
    if (joint.type == JointType::free)  // of unit vectors
      store_six(own, tau.data() + joint.v_index);
    else
      for (int j = joint.v_index; j < joint.v_index + velocity_count(joint.type); ++j)
        tau[j] = dot(load_six(kin.S.col(j).data()), own);
    if (link.parent >= 0) add(f[i], nth(f, link.parent));
  });
}

}  // namespace

void bias_force(const Model& model, const Kinematics& kin, VectorXd& h) {
  h.resize(model.nv);
  bias_force(model, model.trees, kin, h);
}

void bias_force(const Model& model, std::span<const Tree> trees, const Kinematics& kin,
                VectorXd& h) {
  thread_local std::vector<Wrench> f;  // workspace only: written before it is read
  f.resize(model.links.size());
  for (const Tree& tree : trees) {
    if (tree.even)  // ω × I ω and v × m v are zero but for rounding
      h.segment<6>(tree.first_v) << Vector3d::Zero(),
          -nth(kin.links, tree.first_link).m * model.gravity;
    else
      newton_euler(model, tree, kin, nullptr, h, f);
  }
}

void inverse_dynamics(const Model& model, const Kinematics& kin, const VectorXd& vdot,
                      VectorXd& tau) {
  std::vector<Wrench> extra(model.links.size()), f(model.links.size());
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const Link& link = model.links[i];
    Wrench A{Vector3d::Zero(), Vector3d::Zero()};
    if (link.parent >= 0) A = nth(extra, link.parent);
    for (int j = link.joint.v_index; j < link.joint.v_index + velocity_count(link.joint.type);
         ++j) {
      A.angular += kin.S.col(j).head<3>() * vdot[j];
      A.linear += kin.S.col(j).tail<3>() * vdot[j];
    }
    extra[i] = A;
  }
  tau.resize(model.nv);
  for (const Tree& tree : model.trees) newton_euler(model, tree, kin, &extra, tau, f);
  for (const Link& link : model.links)
    for (int k = 0; k < velocity_count(link.joint.type); ++k)
      tau[link.joint.v_index + k] += link.joint.armature * vdot[link.joint.v_index + k];
}

namespace {

// The block of a free base: its columns of S are unit vectors.
void base_block(const Composite& c, double armature, double* block, int n) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j) block[i * n + j] = c.I(i, j);
    for (int j = 0; j <= i; ++j) block[(3 + i) * n + 3 + j] = i == j ? c.m : 0.0;
  }
  const Matrix3d h = skew(c.h);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) block[(3 + i) * n + j] = h(j, i);
  for (int i = 0; i < 6; ++i) block[i * n + i] += armature;
}

// Sᵀ F for the coordinates of a run, those of a free base without a product.
PEQUOD_INLINE void project(const Eigen::Matrix<double, 6, Eigen::Dynamic>& S, int first_v,
                           const Run& run, bool free_base, const Six& F, double* row) {
  int k = run.begin;
  if (free_base && k == 0) {
    store_six(F, row);
    k = 6;
  }
  for (; k < run.end; ++k) row[k] = dot(load_six(S.col(first_v + k).data()), F);
}

PEQUOD_CLONES
void compute_tree_mass(const Model& model, const Tree& tree, const Kinematics& kin,
                       std::vector<Composite>& composite, MassMatrix& M) {
  double* block = M.blocks.data() + tree.mass_offset;
  visit_links(model, tree, false,
              [&](std::size_t i) { add_inertia(kin.links[i], composite[i], true); });
  if (tree.fours > 0) add_inertia(limb_mass(model, tree, kin, M), composite[begin_of(tree)], false);
  visit_links_backwards(model, tree, false, [&](std::size_t i) {
    const Link& link = model.links[i];
    const Joint& joint = link.joint;
    const Composite& c = composite[i];
    if (joint.type == JointType::free) {
      base_block(c, joint.armature, block, tree.nv);
      return;
    }
    const JointType root = nth(model.links, tree.first_link).joint.type;
    for (int j = joint.v_index; j < joint.v_index + velocity_count(joint.type); ++j) {
      const double* const S = kin.S.col(j).data();
      const auto [angular, linear] =
          inertia_times(load_inertia(c), load_whole(S), load_behind(S + 3));
      const Six F = six_of(angular, linear);
      const int own = j - tree.first_v;
      double* row = block + own * tree.nv;
      for (const Run& run : model.ancestors(j))
        project(kin.S, tree.first_v, run, root == JointType::free, F, row);
      project(kin.S, tree.first_v, {own, own + 1}, false, F, row);
      row[own] += joint.armature;
    }
    if (link.parent >= 0) add_inertia(c, nth(composite, link.parent), false);
  });
}

}  // namespace

void make_room(const Model& model, MassMatrix& M) {
  M.blocks.resize(static_cast<std::size_t>(model.mass_size));
}

void compute_mass_matrix(const Model& model, const Kinematics& kin, MassMatrix& M) {
  make_room(model, M);
  compute_mass_matrix(model, model.trees, kin, M);
}

void compute_mass_matrix(const Model& model, std::span<const Tree> trees, const Kinematics& kin,
                         MassMatrix& M) {
  thread_local std::vector<Composite> composite;  // workspace only
  composite.resize(model.links.size());
  for (const Tree& tree : trees) compute_tree_mass(model, tree, kin, composite, M);
}

MatrixXd MassMatrix::dense(const Model& model) const {
  MatrixXd M = MatrixXd::Zero(model.nv, model.nv);
  for (const Tree& tree : model.trees)
    for (int i = 0; i < tree.nv; ++i) {
      const int row = tree.first_v + i;
      const double* block = blocks.data() + tree.mass_offset + i * tree.nv;
      for (const Run& run : model.ancestors(row))
        for (int j = run.begin; j < run.end; ++j)
          M(row, tree.first_v + j) = M(tree.first_v + j, row) = block[j];
      M(row, row) = block[i];
    }
  return M;
}

namespace {

// The sum over the links, in their order.
// @param Terms     of each link, the first or both
// @param of_limbs  fills in those of a tree that are abreast
template <int Terms, typename Of, typename OfLimbs>
double add_up(const Team* team, const Model& model, double sum, const Of& energy_of,
              const OfLimbs& of_limbs) {
  thread_local LinkEnergies storage;  // written before it is read
  LinkEnergies& energies = storage;   // of this thread, for others too
  energies.resize(model.links.size());
  for_each_index(team, model.trees.size(), 4 * trees_of_part(model),
                 [&](std::size_t t, std::size_t) {
                   const Tree& tree = model.trees[t];
                   for (std::size_t i = begin_of(tree); i < behind_beside(tree); ++i)
                     if (!model.links[i].abreast) energies[i] = energy_of(i);
                   if (tree.fours > 0) of_limbs(tree, energies);
                 });
  for (const auto& [first, second] : energies) {
    sum += first;
    if constexpr (Terms > 1) sum += second;
  }
  return sum;
}

}  // namespace

double kinetic_energy(const Model& model, const Kinematics& kin, const VectorXd& v,
                      const Team* team) {
  const auto of_link = [&](std::size_t i) {
    const LinkKinematics& k = kin.links[i];
    const Wrench momentum = inertia_times(k, k.w, k.v_O);
    const Joint& joint = model.links[i].joint;
    const double rotor =
        joint.armature == 0.0
            ? 0.0
            : 0.5 * joint.armature *
                  v.segment(joint.v_index, velocity_count(joint.type)).squaredNorm();
    return std::array{0.5 * (k.w.dot(momentum.angular) + k.v_O.dot(momentum.linear)), rotor};
  };
  return add_up<2>(team, model, 0.0, of_link, [&](const Tree& tree, LinkEnergies& energies) {
    limb_kinetic_energies(model, tree, kin, v, energies);
  });
}

double potential_energy(const Model& model, const Kinematics& kin, const Team* team) {
  const auto of_link = [&](std::size_t i) {
    const LinkKinematics& k = kin.links[i];
    const Vector3d& O = nth(kin.origins, model.links[i].tree);
    return std::array{-model.gravity.dot(k.h + k.m * O), 0.0};
  };
  return add_up<1>(team, model, spring_energy(model, kin), of_link,
                   [&](const Tree& tree, LinkEnergies& energies) {
                     limb_potential_energies(model, tree, kin, energies);
                   });
}

double total_energy(const Model& model, const Kinematics& kin, const VectorXd& v,
                    const Team* team) {
  return kinetic_energy(model, kin, v, team) + potential_energy(model, kin, team);
}

}  // namespace pequod
