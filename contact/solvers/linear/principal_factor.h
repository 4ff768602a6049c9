#pragma once

#include <span>
#include <vector>

#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Cholesky factor A_CC = L Lᵀ of a principal block of a symmetric positive semidefinite matrix, C
/// a set of row numbers in order of entry. Rows enter and leave in O(|C|²) (Baraff 1994, sec. 4.2
/// asks for this; Gill, Golub, Murray & Saunders 1974).
class PrincipalFactor {
 public:
  /// Empties the set. Allocates only if n is larger than ever before.
  void reset(Index n);

  [[nodiscard]] Index size() const { return static_cast<Index>(rows_.size()); }
  [[nodiscard]] std::span<const int> rows() const { return rows_; }

  /// Prepares row d for append(): l = L⁻¹A_Cd.
  /// @return  A_dd − lᵀl, what C leaves of the row: zero if it depends on C
  double split(const MatrixXd& A, int d);
  /// x = −A_CC⁻¹A_Cd of the last split: how the forces of C follow that of d; size() entries.
  void follow(double* x) const;
  /// Adds the row of the last split(), whose remainder must be positive.
  void append(int d);
  /// Removes the row at this position of rows().
  void remove(Index position);

  void solve(double* x) const;  ///< x ← A_CC⁻¹x, size() entries
  void poison() { pequod::poison(L_, l_); }

 private:
  double* column(Index j) { return L_.data() + j * n_; }
  [[nodiscard]] const double* column(Index j) const { return L_.data() + j * n_; }
  void solve_forward(double* x) const;
  void solve_back(double* x) const;

  Index n_ = 0;
  VectorXd L_;  // n×n by columns
  VectorXd l_;
  double remainder_ = 0;
  std::vector<int> rows_;
};

}  // namespace pequod
