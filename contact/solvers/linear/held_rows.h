// Equalities Gᵀ y = e in the metric y = L v: held contacts in a stage, and projections.
#pragma once

#include <vector>

#include "contact/solvers/linear/basis_kernels.h"
#include "contact/solvers/linear/block_masks.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Orthonormal basis of the rows that are held, columns added one by one; a column whose remainder
/// is below `rank` of its length repeats the others and is rejected (Drumwright 2015, Algorithm 2).
/// Invariant: G_accepted = Q R, R upper triangular. Of many coordinates, as in a pile of bodies,
/// the blocks of a column that are zero, or rounding of it, are left out: a body that rows hold
/// fast has its own basis, whatever stands on it.
class HeldRows {
 public:
  void reset(Index m, double rank = 1e-9);
  /// What the remainder of a column is compared with, whichever is more.
  struct Compared {
    double times = 1.0;  ///< its length, so many times
    double size = 0.0;   ///< for columns that may be no more than the rounding of longer ones
  };
  /// @return whether the column was accepted
  bool add(const Eigen::Ref<const VectorXd>& g) { return add(g, Compared{}); }
  bool add(const Eigen::Ref<const VectorXd>& g, const Compared& with);

  /// The first columns that were offered to another, all accepted: no column is orthogonalised
  /// again. @return whether it does; not of columns whose zeros are left out
  bool take_leading(const HeldRows& from, Index columns);

  [[nodiscard]] Index rank() const { return rank_; }
  /// One flag for each column offered.
  [[nodiscard]] const std::vector<char>& accepted() const { return accepted_; }

  /// Q, m×rank.
  [[nodiscard]] auto basis() const { return Q_.topLeftCorner(m_, rank_); }

  /// Nearest y⁺ to y with Gᵀ y⁺ = e on the accepted columns (e for all columns offered); f: its
  /// multipliers, y⁺ = y + G f, zero for rejected columns. Rows that hold all coordinates leave
  /// nothing of y, to the bit: what they hold at rest is at rest.
  void solve(const VectorXd& e, VectorXd& y, VectorXd& f) const;
  /// What the accepted rows, made orthonormal, still ask of y: w = R⁻ᵀe − Qᵀy.
  void demand(const VectorXd& e, const VectorXd& y, VectorXd& w) const;
  /// Qᵀ x: how far each of the orthonormal rows moves along x. @param out  rank long
  void measure(const Eigen::Ref<const VectorXd>& x, Eigen::Ref<VectorXd> out) const;
  /// The same for e = 0, without multipliers.
  void project(VectorXd& y) const;
  /// Splits a column: `part` ← Qᵀ g (zero beyond the rank), g ← g − Q part.
  void split(Eigen::Ref<VectorXd> g, Eigen::Ref<VectorXd> part) const;
  void poison() { pequod::poison(Q_, R_); }

 private:
  [[nodiscard]] BasisColumns columns() const { return {Q_.data(), Q_.rows(), rank_, padded(m_)}; }
  double take_off_basis(double* q, double* r) const;
  double take_off_blocks(double before, double* q, double* r, BlockMasks::Word* mask_q) const;
  void substitute(const VectorXd& e, double* w) const;
  void ask(const VectorXd& e, double* y, double* w) const;
  // Rows of no coordinates, as of no loops, hold nothing.
  [[nodiscard]] bool holds_all() const { return rank_ == m_ && m_ > 0; }

  MatrixXd Q_, R_;  // columns of Q padded
  Index m_ = 0, rank_ = 0;
  BlockMasks masks_;  // of the columns of Q
  double tolerance_ = 1e-9;
  std::vector<char> accepted_;
};

}  // namespace pequod
