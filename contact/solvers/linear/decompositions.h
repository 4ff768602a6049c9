#pragma once

#include <Eigen/Dense>
#include <vector>

namespace pequod {

// Decompositions of dense matrices, by Eigen. Compiled here once: each costs a compiler seconds
// wherever else it is instantiated. None of them looks for NaN; what goes in comes out.

/// The complete orthogonal decomposition of a matrix that may lack rank (Golub & Van Loan 2013,
/// 5.4.7).
class LeastNormFactor {
 public:
  /// @param A          m×n
  /// @param threshold  of the largest pivot: smaller ones count as zero
  LeastNormFactor(const Eigen::MatrixXd& A, double threshold);
  explicit LeastNormFactor(const Eigen::MatrixXd& A);  ///< threshold: rounding of its size

  /// The shortest x of those with the least |A x − b|, n entries.
  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& b) const;
  [[nodiscard]] Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;  ///< of each column
  [[nodiscard]] Eigen::Index rank() const { return factor_.rank(); }
  [[nodiscard]] std::vector<int> pivots() const;  ///< independent columns, as many as the rank
  /// m×(m − rank): an orthonormal basis of what Aᵀ makes zero.
  [[nodiscard]] Eigen::MatrixXd left_null_space() const;

 private:
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor_;
};

/// A⁻¹b by Gaussian elimination with partial pivoting; not finite where A is singular.
[[nodiscard]] Eigen::VectorXd solve_square(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
[[nodiscard]] Eigen::MatrixXd solve_square(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

/// A⁻¹, by the same.
[[nodiscard]] Eigen::MatrixXd inverse_of(const Eigen::MatrixXd& A);

/// A⁻¹b of a symmetric A that is semidefinite but for rounding, by L D Lᵀ with pivoting.
[[nodiscard]] Eigen::VectorXd solve_semidefinite(const Eigen::MatrixXd& A,
                                                 const Eigen::VectorXd& b);

/// The motions that A makes zero, as n×k columns; k = 0: none. @param threshold  as above
[[nodiscard]] Eigen::MatrixXd null_space(const Eigen::MatrixXd& A, double threshold);

/// Eigenvalues λ₁ ≤ … ≤ λₙ of a symmetric A, of which the lower half is read.
[[nodiscard]] Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);

struct SymmetricEigen {
  Eigen::VectorXd values;   ///< ascending
  Eigen::MatrixXd vectors;  ///< orthonormal columns
};
[[nodiscard]] SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A);

/// Ascending λ with A x = λ B x of symmetric A and positive definite B.
[[nodiscard]] Eigen::VectorXd generalised_eigenvalues(const Eigen::MatrixXd& A,
                                                      const Eigen::MatrixXd& B);

/// Eigenvalues of any square matrix, in no order.
[[nodiscard]] Eigen::VectorXcd general_eigenvalues(const Eigen::MatrixXd& A);

// Those that are kept from call to call, so that a step allocates nothing. Read info() after.

void factorise(const Eigen::MatrixXd& A, Eigen::LLT<Eigen::MatrixXd>& factor);
void factorise(const Eigen::MatrixXd& A, Eigen::LDLT<Eigen::MatrixXd>& factor);
void factorise(const Eigen::MatrixXd& A, Eigen::PartialPivLU<Eigen::MatrixXd>& factor);

/// x ← A⁻¹x
void solve_in_place(const Eigen::LLT<Eigen::MatrixXd>& factor, Eigen::VectorXd& x);
void solve_in_place(const Eigen::LDLT<Eigen::MatrixXd>& factor, Eigen::VectorXd& x);

/// x ← A⁻¹b; no part of b
void solve(const Eigen::PartialPivLU<Eigen::MatrixXd>& factor, const Eigen::VectorXd& b,
           Eigen::VectorXd& x);

/// True if |M − Mᵀ| ≤ 10⁻¹² max |Mᵢⱼ| and no diagonal entry is negative. What else makes M positive
/// semidefinite, a factor must tell.
[[nodiscard]] bool may_be_semidefinite(const Eigen::MatrixXd& M);

}  // namespace pequod
