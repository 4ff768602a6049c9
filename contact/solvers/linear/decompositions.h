#pragma once

#include <vector>

#include "contact/solvers/linear/vectors.h"

namespace pequod {

// Decompositions of dense matrices, by Eigen. Compiled here once: each costs a compiler seconds
// wherever else it is instantiated. None of them looks for NaN; what goes in comes out.

/// The complete orthogonal decomposition of a matrix that may lack rank (Golub & Van Loan 2013,
/// 5.4.7).
class LeastNormFactor {
 public:
  /// @param A          m×n
  /// @param threshold  of the largest pivot: smaller ones count as zero
  LeastNormFactor(const MatrixXd& A, double threshold);
  explicit LeastNormFactor(const MatrixXd& A);  ///< threshold: rounding of its size

  /// The shortest x of those with the least |A x − b|, n entries.
  [[nodiscard]] VectorXd solve(const VectorXd& b) const;
  [[nodiscard]] MatrixXd solve(const MatrixXd& B) const;  ///< of each column
  [[nodiscard]] Index rank() const { return factor_.rank(); }
  [[nodiscard]] std::vector<int> pivots() const;  ///< independent columns, as many as the rank
  /// m×(m − rank): an orthonormal basis of what Aᵀ makes zero.
  [[nodiscard]] MatrixXd left_null_space() const;

 private:
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> factor_;
};

/// A⁻¹b by Gaussian elimination with partial pivoting; not finite where A is singular.
[[nodiscard]] VectorXd solve_square(const MatrixXd& A, const VectorXd& b);
[[nodiscard]] MatrixXd solve_square(const MatrixXd& A, const MatrixXd& B);

/// A⁻¹, by the same.
[[nodiscard]] MatrixXd inverse_of(const MatrixXd& A);

/// A⁻¹b of a symmetric A that is semidefinite but for rounding, by L D Lᵀ with pivoting.
[[nodiscard]] VectorXd solve_semidefinite(const MatrixXd& A, const VectorXd& b);

/// The motions that A makes zero, as n×k columns; k = 0: none. @param threshold  as above
[[nodiscard]] MatrixXd null_space(const MatrixXd& A, double threshold);

/// Eigenvalues λ₁ ≤ … ≤ λₙ of a symmetric A, of which the lower half is read.
[[nodiscard]] VectorXd symmetric_eigenvalues(const MatrixXd& A);

struct SymmetricEigen {
  VectorXd values;   ///< ascending
  MatrixXd vectors;  ///< orthonormal columns
};
[[nodiscard]] SymmetricEigen symmetric_eigen(const MatrixXd& A);

/// Ascending λ with A x = λ B x of symmetric A and positive definite B.
[[nodiscard]] VectorXd generalised_eigenvalues(const MatrixXd& A, const MatrixXd& B);

/// Eigenvalues of any square matrix, in no order.
[[nodiscard]] Eigen::VectorXcd general_eigenvalues(const MatrixXd& A);

// Those that are kept from call to call, so that a step allocates nothing. Read info() after.

void factorise(const MatrixXd& A, Eigen::LLT<MatrixXd>& factor);
void factorise(const MatrixXd& A, Eigen::LDLT<MatrixXd>& factor);
void factorise(const MatrixXd& A, Eigen::PartialPivLU<MatrixXd>& factor);

/// x ← A⁻¹x
void solve_in_place(const Eigen::LLT<MatrixXd>& factor, VectorXd& x);
void solve_in_place(const Eigen::LDLT<MatrixXd>& factor, VectorXd& x);

/// x ← A⁻¹b; no part of b
void solve(const Eigen::PartialPivLU<MatrixXd>& factor, const VectorXd& b, VectorXd& x);

/// True if |M − Mᵀ| ≤ 10⁻¹² max |Mᵢⱼ| and no diagonal entry is negative. What else makes M positive
/// semidefinite, a factor must tell.
[[nodiscard]] bool may_be_semidefinite(const MatrixXd& M);

}  // namespace pequod
