// Limbs of a free body that are alike, four abreast: as the legs of a quadruped.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/types.h"

namespace pequod {

struct Model;
struct Tree;
struct Kinematics;
struct MassMatrix;
struct SineCosine;

/// The links of four limbs that are as far from the body, and their hinges, which turn about the
/// same coordinate axis.
struct LimbLevel {
  using Numbers = std::array<double, 4>;  ///< of each
  std::array<int, 4> link{}, q{}, v{};    ///< and their coordinates
  int axis = 0;
  alignas(32) Numbers sign{};          ///< of the axis
  std::array<Numbers, 3> place{};      ///< m, of the hinge in the link before
  Numbers mass{};                      ///< kg
  std::array<Numbers, 3> com{};        ///< m
  std::array<Numbers, 9> about_com{};  ///< kg m², by columns
};
/// From the body outwards.
using LimbFour = std::vector<LimbLevel>;

/// More levels are not put abreast.
inline constexpr int kMostLevels = 8;

/// Fills Model::limb_fours, what Tree says of them and Link::abreast: chains of hinges off a
/// free base that have as many links, with frames that do not turn and the same axes, four by four.
void find_limb_fours(Model& model);

[[nodiscard]] std::span<const LimbFour> fours_of(const Model& model, const Tree& tree);

// What follows does to the limbs of a tree that are abreast what the functions of the same task in
// dynamics.h do to other links.

/// Poses, from that of the body. @param angles  of each coordinate of q
void place_limbs(const Model& model, const Tree& tree, std::span<const SineCosine> angles,
                 std::vector<Pose>& X_WL);
/// The same, S and inertias.
void place_limbs(const Model& model, const Tree& tree, std::span<const SineCosine> angles,
                 Kinematics& kin);

/// Velocities and bias accelerations, from those of the body.
void move_limbs(const Model& model, const Tree& tree, const VectorXd& v, Kinematics& kin);

/// A moment and a force about O.
struct Wrench {
  Vector3d angular, linear;
};
/// What the hinges bear, for accelerations of zero, and what is left of it to the body.
[[nodiscard]] Wrench limb_forces(const Model& model, const Tree& tree, const Kinematics& kin,
                                 VectorXd& tau);

/// J, of each link, in two terms.
using LinkEnergies = std::vector<std::array<double, 2>>;
/// Of motion: those of the links and of the rotors of their joints.
void limb_kinetic_energies(const Model& model, const Tree& tree, const Kinematics& kin,
                           const VectorXd& v, LinkEnergies& energies);
/// Of gravity, the first term.
void limb_potential_energies(const Model& model, const Tree& tree, const Kinematics& kin,
                             LinkEnergies& energies);

/// Inertia of a link and all behind it, about O.
struct Composite {
  double m;
  Vector3d h;
  Matrix3d I;
};
/// Rows of M, and what the limbs add to the body.
[[nodiscard]] Composite limb_mass(const Model& model, const Tree& tree, const Kinematics& kin,
                                  MassMatrix& M);

/// Rows of L of four limbs, level by level and entry by entry.
struct LimbRowsOfL {
  struct Row {
    alignas(32) std::array<LimbLevel::Numbers, 6> body;           ///< of the body's coordinates
    alignas(32) std::array<LimbLevel::Numbers, kMostLevels> own;  ///< up to the diagonal
    alignas(32) LimbLevel::Numbers inverse;                       ///< of the diagonal
  };
  std::array<Row, kMostLevels> rows;
};

/// Rows of L, and what they leave of the block of the body. @param L  of the tree; in: M
/// @param inverse  of the diagonal, out. @param rows  the same, of each four, out
/// @return false, with nothing of some four done, if one of its pivots is not positive
[[nodiscard]] bool factor_limbs(const Model& model, const Tree& tree, double* L, double* inverse,
                                LimbRowsOfL* rows);

/// The coordinates of limbs in x ← L x, where x has those of the body from before.
void apply_limbs(const Model& model, const Tree& tree, const LimbRowsOfL* rows, double* x);
/// The same in x ← L⁻¹ x, where those of the body are done.
void solve_limbs(const Model& model, const Tree& tree, const LimbRowsOfL* rows, double* x);
/// The same in x ← L⁻ᵀ x, of a tree without other links, and what they take from those of the body,
/// which are left to be done.
void solve_limbs_transposed(const Model& model, const Tree& tree, const double* L,
                            const LimbRowsOfL* rows, double* x);

}  // namespace pequod
