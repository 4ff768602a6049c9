// The factor of M of trees whose branches are long, by motions and forces in space.
#pragma once

#include <array>
#include <span>

#include "core/model.h"
#include "core/types.h"

namespace pequod {

struct Kinematics;

/// Of velocity coordinate k: entry (k, i) of L is F · S_i for every coordinate i before k on its
/// branch, F moved to where S_i is taken about, and `root` for k itself. So L takes O(n) to make
/// and to apply, where rows of numbers take O(n · depth) and more (Rodriguez, Jain & Kreutz-Delgado
/// 1991, the innovations form of M). World axes, about the origin of the coordinate's own link:
/// about one far away a light link would be the difference of large numbers.
struct SpatialRow {
  using Space = std::array<double, 8>;  ///< two vectors, a zero behind each
  Space S;                              ///< [ω; v] of a unit of speed
  Space F;                              ///< [moment; force]
  std::array<double, 4> arm;            ///< m, from the origin that the coordinate before it has
  double root;                          ///< of its pivot
};

/// Fills Tree::first_spatial and Model::spatial_rows: for which trees that pays.
void find_long_branches(Model& model);

/// L of one such tree, from inertias of articulated bodies.
/// @param inverse  1/root of each coordinate, out
/// @throws std::domain_error naming the coordinate whose pivot is not positive
void factor_spatially(const Model& model, const Tree& tree, const Kinematics& kin, SpatialRow* rows,
                      double* inverse);

/// A factor of one tree, to multiply vectors of its coordinates in place.
struct SpatialFactor {
  const SpatialRow* rows;
  const double* inverse;
  const int* parent;  ///< of each coordinate: the one before it on its branch, counted from `first`
  int first;          ///< of the tree
  int size;

  void apply(double* x) const;             ///< x ← L x
  void apply_transposed(double* x) const;  ///< x ← Lᵀ x
  void solve(double* x) const;             ///< x ← L⁻¹ x
  void solve_transposed(double* x) const;  ///< x ← L⁻ᵀ x
  /// The same of four vectors abreast, coordinate by coordinate.
  void solve_transposed_four(double* x) const;
};

}  // namespace pequod
