#pragma once

#include <vector>

#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// LU factor with partial pivoting of a k×k matrix in buffers that are kept: factoring matrices of
/// changing size allocates only when one is larger than all before it.
class DenseLu {
 public:
  /// Makes room for k×k, so that no smaller matrix allocates.
  void reserve(Index k);

  /// Makes room for k×k and gives the matrix to be filled in before factor().
  Eigen::Map<MatrixXd> matrix(Index k);

  /// Factors the matrix in place. Rows are exchanged for the largest pivot, the first among equals.
  /// @return  smallest pivot over the largest entry of the matrix; 0 if it is singular (then there
  ///          is no factor to solve with) and 1 if k = 0
  double factor();

  void solve(double* x) const;  ///< x ← A⁻¹x, k entries
  void poison() { pequod::poison(entries_, exchanged_); }

 private:
  Index k_ = 0;
  VectorXd entries_;  // k×k by columns: U, and L below its unit diagonal
  std::vector<Index> exchanged_;
};

}  // namespace pequod
