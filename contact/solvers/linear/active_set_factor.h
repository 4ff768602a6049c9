#pragma once

#include <span>
#include <vector>

#include "contact/solvers/linear/block_masks.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Orthogonal factorisation A = Q R of the rows in an active set, A: m×r, one row of the set a
/// column. It keeps: Q (m×r) has orthonormal columns, R (r×r) is upper triangular with positive
/// pivots, both in the order in which the rows entered.
///
/// Rows enter by Gram–Schmidt with reorthogonalisation and leave by Givens rotations, O(m r) each
/// (Daniel, Gragg, Kaufman & Stewart 1976). Only the r columns of Q that span the set are stored:
/// at 18 coordinates and four contacts a fifth of the operations of a full m×m Q updated by
/// reflections. A Cholesky factor of AᵀA would square the condition and lose problems with mass
/// ratio 10⁶. Rows of many coordinates pass over the bodies that they do not touch (BlockMasks).
class ActiveSetFactor {
 public:
  using Row = Eigen::Ref<const VectorXd>;

  /// Empties the set. Allocates only if most or n is larger than ever before.
  /// @param m     length of a row
  /// @param n     row numbers are below n
  /// @param most  make room for rows of this length, ≥ m
  void reset(Index m, Index n, Index most);

  [[nodiscard]] Index size() const { return static_cast<Index>(rows_.size()); }
  [[nodiscard]] std::span<const int> rows() const { return rows_; }  ///< in order of entry
  [[nodiscard]] bool contains(Index row) const { return contained_[row] != 0; }

  /// Splits the unit vector g into A r and a remainder z orthogonal to the set.
  /// @return |z|; afterwards remainder() and coordinates() belong to g until the set changes
  double split(const Row& g);
  [[nodiscard]] Eigen::Map<const VectorXd> remainder() const { return {z_.data(), m_}; }
  /// d = Qᵀg, to be turned into r = R⁻¹d by solve_upper.
  [[nodiscard]] Eigen::Map<const VectorXd> coordinates() const { return {d_.data(), size()}; }

  /// Adds the vector of the last split() under the number `row`. Its remainder must not be zero.
  void append(int row);
  /// Removes the row at this position of rows().
  void remove(Index position);

  void solve_upper(double* x) const;                             ///< x ← R⁻¹x, r entries
  void solve_upper_transposed(double* x) const;                  ///< x ← R⁻ᵀx, r entries
  void apply_Q(const double* a, double* y) const;                ///< y ← y + Q a
  void subtract_Q_transposed(const double* y, double* a) const;  ///< a ← a − Qᵀy
  void poison() { pequod::poison(Q_, R_, z_, d_); }

 private:
  void take_off_basis();
  double* q(Index j) { return Q_.data() + j * m_; }
  [[nodiscard]] const double* q(Index j) const { return Q_.data() + j * m_; }
  double* r(Index j) { return R_.data() + j * m_; }
  [[nodiscard]] const double* r(Index j) const { return R_.data() + j * m_; }

  Index m_ = 0;
  VectorXd Q_, R_;    // m×m by columns; only the first r columns mean something
  BlockMasks masks_;  // of the columns of Q, and behind them of z
  VectorXd z_, d_;
  double z_norm_ = 0;
  std::vector<int> rows_;
  std::vector<char> contained_;
};

}  // namespace pequod
