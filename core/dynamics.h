// Articulated-body dynamics in world axes about each tree's base origin (Featherstone 2008, ch.
// 5–7).
//
// A spatial vector is [angular; linear at O], O = the origin of the tree's root link now, taken as
// a point at rest. Composite inertias are then plain sums, and the rows of a free base in M are the
// force itself.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/model.h"
#include "core/motion.h"
#include "core/parallel.h"
#include "core/spatial_factor.h"
#include "core/state.h"
#include "core/types.h"

namespace pequod {

/// One link's pose, velocity, bias acceleration and inertia, world axes.
struct LinkKinematics {
  Pose X_WL;
  Vector3d w, v_O;        ///< rad/s, m/s: spatial velocity about O
  Vector3d alpha_O, a_O;  ///< spatial acceleration about O for v̇ = 0, no gravity
  double m = 0.0;         ///< kg
  Vector3d h;             ///< kg m, m (centre of mass − O)
  Matrix3d I;             ///< kg m² about O
};

/// Everything that depends on (q, v) alone. Reused between calls without allocation.
struct Kinematics {
  std::vector<LinkKinematics> links;
  std::vector<Vector3d> origins;               ///< m, O of each tree
  Eigen::Matrix<double, 6, Eigen::Dynamic> S;  ///< column per velocity coordinate, [ω; v_O]

  friend void swap(Kinematics& a, Kinematics& b) noexcept {
    a.links.swap(b.links);
    a.origins.swap(b.origins);
    a.S.swap(b.S);
  }
};

/// Sizes for the model: what is there is no value yet. Functions that take some trees of a model,
/// here and below, do what those without do to all, in storage that has its size; as no two trees
/// share any of it, several may be at work.
void make_room(const Model& model, Kinematics& kin);
void copy(const Model& model, std::span<const Tree> trees, const Kinematics& from, Kinematics& kin);

/// @param team  whose threads share the trees
void compute_kinematics(const Model& model, const VectorXd& q, const VectorXd& v, Kinematics& kin,
                        const Team* team = nullptr);
/// The part that depends on q alone (poses, S, inertias), and the rest, in this order.
void compute_positions(const Model& model, const VectorXd& q, Kinematics& kin);
void compute_positions(const Model& model, std::span<const Tree> trees, const VectorXd& q,
                       Kinematics& kin);
void compute_velocities(const Model& model, const VectorXd& v, Kinematics& kin);
void compute_velocities(const Model& model, std::span<const Tree> trees, const VectorXd& v,
                        Kinematics& kin);
/// Link poses alone.
void compute_poses(const Model& model, const VectorXd& q, std::vector<Pose>& X_WL,
                   const Team* team = nullptr);
/// X_WS of all shapes.
[[nodiscard]] std::vector<Pose> shape_poses(const Model& model, const VectorXd& q);

/// Motion of a link; the accelerations are those for v̇ = 0, or for the given v̇.
[[nodiscard]] BodyMotion link_motion(const Model& model, const Kinematics& kin, int link);
[[nodiscard]] BodyMotion link_motion(const Model& model, const Kinematics& kin, int link,
                                     const VectorXd& vdot);

/// h in M v̇ + h = τ + Jᵀf: Coriolis, centrifugal and gravity (RNEA for v̇ = 0).
void bias_force(const Model& model, const Kinematics& kin, VectorXd& h);
void bias_force(const Model& model, std::span<const Tree> trees, const Kinematics& kin,
                VectorXd& h);

/// τ that produces v̇ without contact (RNEA), armature included.
void inverse_dynamics(const Model& model, const Kinematics& kin, const VectorXd& vdot,
                      VectorXd& tau);

/// Lower triangle of each tree's block of M, row-major at Tree::mass_offset (CRBA), armature on the
/// diagonal. What two branches have in common is zero, and not written.
struct MassMatrix {
  std::vector<double> blocks;
  [[nodiscard]] MatrixXd dense(const Model& model) const;
  /// Mx ← M x, Model::nv.
  void multiply(const Model& model, const VectorXd& x, VectorXd& Mx,
                const Team* team = nullptr) const;
};
void compute_mass_matrix(const Model& model, const Kinematics& kin, MassMatrix& M);
void compute_mass_matrix(const Model& model, std::span<const Tree> trees, const Kinematics& kin,
                         MassMatrix& M);
void make_room(const Model& model, MassMatrix& M);

/// One coordinate of up to four vectors side by side, as of the rows of one contact: a number of
/// each, and zeros.
using Abreast = Eigen::Array4d;

/// M = Lᵀ L, L lower and with the branch sparsity of M (Featherstone 2008, sec. 6.5).
struct MassFactor {
  std::vector<double> blocks;            ///< as MassMatrix::blocks, but of trees with spatial rows
  std::vector<SpatialRow> spatial;       ///< see Tree::first_spatial
  std::vector<double> inverse_diagonal;  ///< Model::nv, of L
  std::vector<LimbRowsOfL> limbs;        ///< rows once more, of Model::limb_fours
  /// Products and solves of one tree on a vector of its nv coordinates, in place.
  void apply_L(const Model& model, int tree, std::span<double> x) const;             ///< x ← L x
  void apply_L_transposed(const Model& model, int tree, std::span<double> x) const;  ///< x ← Lᵀ x
  void solve_L(const Model& model, int tree, std::span<double> x) const;  ///< x ← L⁻¹ x
  void solve_L_transposed(const Model& model, int tree, std::span<double> x) const;  ///< x ← L⁻ᵀ x
  void solve_L_transposed(const Model& model, int tree, std::span<Abreast> x) const;
  /// x ← M⁻¹ x over all trees.
  void solve(const Model& model, VectorXd& x, const Team* team = nullptr) const;

 private:
  [[nodiscard]] SpatialFactor spatial_of(const Model& model, const Tree& tree) const;
};
/// @param kin  of which M is
/// @throws std::domain_error naming the coordinate whose pivot is not positive
void factor_mass_matrix(const Model& model, const Kinematics& kin, const MassMatrix& M,
                        MassFactor& factor);
void factor_mass_matrix(const Model& model, std::span<const Tree> trees, const Kinematics& kin,
                        const MassMatrix& M, MassFactor& factor);
void make_room(const Model& model, MassFactor& factor);

/// J: kinetic energy, potential energy of gravity and springs, and their sum.
/// @param team  whose threads share the links
[[nodiscard]] double kinetic_energy(const Model& model, const Kinematics& kin, const VectorXd& v,
                                    const Team* team = nullptr);
[[nodiscard]] double potential_energy(const Model& model, const Kinematics& kin,
                                      const Team* team = nullptr);
[[nodiscard]] double total_energy(const Model& model, const Kinematics& kin, const VectorXd& v,
                                  const Team* team = nullptr);

/// Velocity of the material point of `link` that is now at p_W (zero for the world, link = −1).
[[nodiscard]] Vector3d point_velocity(const Model& model, const Kinematics& kin, int link,
                                      const Vector3d& p_W);

/// Calls visit(i, Sᵢᵀ [moment; force]) for the coordinates i that move a link, the moment about the
/// origin of its tree: what they bear of it. A free base, whose columns are unit vectors, bears it
/// as it is.
template <typename Visit>
void project_wrench(const Model& model, const Kinematics& kin, int link, const Vector3d& moment,
                    const Vector3d& force, const Visit& visit) {
  const Link& moved = nth(model.links, link);
  const Tree& tree = nth(model.trees, moved.tree);
  const bool free = nth(model.links, tree.first_link).joint.type == JointType::free;
  const int behind_base = free ? tree.first_v + 6 : 0;
  for (int i = moved.joint.v_index + velocity_count(moved.joint.type) - 1; i >= behind_base;
       i = nth(model.dof_parent, i))
    visit(i, kin.S.col(i).head<3>().dot(moment) + kin.S.col(i).tail<3>().dot(force));
  for (int k = 0; free && k < 3; ++k) {
    visit(tree.first_v + k, moment[k]);
    visit(tree.first_v + 3 + k, force[k]);
  }
}

/// Adds scale · dᵀ J_p to `row` (Model::nv long): the velocity of that point along d.
void add_point_row(const Model& model, const Kinematics& kin, int link, const Vector3d& p_W,
                   const Vector3d& d_W, double scale, Eigen::Ref<VectorXd> row);

/// 3 × nv Jacobian of that point, and its time derivative along v.
void point_jacobian(const Model& model, const Kinematics& kin, int link, const Vector3d& p_W,
                    MatrixXd& J);
void point_jacobian_rate(const Model& model, const Kinematics& kin, int link, const Vector3d& p_W,
                         MatrixXd& Jdot);
/// 6 × nv Jacobian [ω; v of the frame origin] of the frame at p_W, and its time derivative.
void frame_jacobian(const Model& model, const Kinematics& kin, int link, const Vector3d& p_W,
                    MatrixXd& J);
void frame_jacobian_rate(const Model& model, const Kinematics& kin, int link, const Vector3d& p_W,
                         MatrixXd& Jdot);

/// Total mass (kg), centre of mass (m, world) and its velocity of links [first, first + count).
struct MassCentre {
  double mass = 0.0;
  Vector3d position = Vector3d::Zero(), velocity = Vector3d::Zero();
};
[[nodiscard]] MassCentre mass_centre(const Model& model, const Kinematics& kin, int first_link,
                                     int count);

/// q̇ from v (quaternion rows: ½ ω ⊗ q).
void position_rate(const Model& model, const VectorXd& q, const VectorXd& v,
                   Eigen::Ref<VectorXd> qdot);
/// Scales every quaternion in q to unit length.
void normalise_quaternions(const Model& model, Eigen::Ref<VectorXd> q);

}  // namespace pequod
