#include "contact/solvers/linear/decompositions.h"

#include <algorithm>
#include <cmath>

namespace pequod {

LeastNormFactor::LeastNormFactor(const MatrixXd& A, double threshold) {
  factor_.setThreshold(threshold);
  factor_.compute(A);
}

LeastNormFactor::LeastNormFactor(const MatrixXd& A) : factor_(A) {}

VectorXd LeastNormFactor::solve(const VectorXd& b) const { return factor_.solve(b); }

MatrixXd LeastNormFactor::solve(const MatrixXd& B) const { return factor_.solve(B); }

std::vector<int> LeastNormFactor::pivots() const {
  const auto& columns = factor_.colsPermutation().indices();
  return {columns.data(), columns.data() + factor_.rank()};
}

MatrixXd LeastNormFactor::left_null_space() const {
  const MatrixXd all = factor_.householderQ() * MatrixXd::Identity(factor_.rows(), factor_.rows());
  return all.rightCols(factor_.rows() - factor_.rank());
}

VectorXd solve_square(const MatrixXd& A, const VectorXd& b) {
  return Eigen::PartialPivLU<MatrixXd>(A).solve(b);
}

MatrixXd solve_square(const MatrixXd& A, const MatrixXd& B) {
  return Eigen::PartialPivLU<MatrixXd>(A).solve(B);
}

MatrixXd inverse_of(const MatrixXd& A) { return Eigen::PartialPivLU<MatrixXd>(A).inverse(); }

VectorXd solve_semidefinite(const MatrixXd& A, const VectorXd& b) {
  return Eigen::LDLT<MatrixXd>(A).solve(b);
}

MatrixXd null_space(const MatrixXd& A, double threshold) {
  Eigen::FullPivLU<MatrixXd> lu(A);
  lu.setThreshold(threshold);
  if (lu.dimensionOfKernel() == 0) return MatrixXd(A.cols(), 0);
  return lu.kernel();
}

VectorXd symmetric_eigenvalues(const MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

SymmetricEigen symmetric_eigen(const MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(A);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

VectorXd generalised_eigenvalues(const MatrixXd& A, const MatrixXd& B) {
  return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(A, B, Eigen::EigenvaluesOnly)
      .eigenvalues();
}

Eigen::VectorXcd general_eigenvalues(const MatrixXd& A) {
  return Eigen::EigenSolver<MatrixXd>(A, false).eigenvalues();
}

void factorise(const MatrixXd& A, Eigen::LLT<MatrixXd>& factor) { factor.compute(A); }

void factorise(const MatrixXd& A, Eigen::LDLT<MatrixXd>& factor) { factor.compute(A); }

void factorise(const MatrixXd& A, Eigen::PartialPivLU<MatrixXd>& factor) { factor.compute(A); }

void solve_in_place(const Eigen::LLT<MatrixXd>& factor, VectorXd& x) { factor.solveInPlace(x); }

void solve_in_place(const Eigen::LDLT<MatrixXd>& factor, VectorXd& x) { x = factor.solve(x); }

void solve(const Eigen::PartialPivLU<MatrixXd>& factor, const VectorXd& b, VectorXd& x) {
  x = factor.solve(b);
}

bool may_be_semidefinite(const MatrixXd& M) {
  double size = 0, difference = 0;
  for (Index j = 0; j < M.cols(); ++j) {
    if (M(j, j) < 0) return false;
    for (Index i = 0; i < j; ++i) {
      size = std::max(size, std::abs(M(i, j)));
      difference = std::max(difference, std::abs(M(i, j) - M(j, i)));
    }
  }
  return difference <= 1e-12 * size;
}

}  // namespace pequod
