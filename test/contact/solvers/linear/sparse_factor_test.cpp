#include "contact/solvers/linear/sparse_factor.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace pequod {
namespace {

// Of B Bᵀ, and of that with a skew part of the same structure.
Eigen::MatrixXd random_matrix(int n, bool symmetric, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(n, n);
  for (int entry = 0; entry < 2 * n; ++entry)
    B(static_cast<int>(random() % n), static_cast<int>(random() % n)) = normal(random);
  Eigen::MatrixXd A = B * B.transpose();
  for (int i = 0; i < n && !symmetric; ++i)
    for (int j = 0; j < i; ++j) {
      const double skew = A(i, j) == 0.0 ? 0.0 : normal(random);
      A(i, j) += skew;
      A(j, i) -= skew;
    }
  return A;
}

// Against the equations. One object for all sizes and structures, each of them twice.
TEST_CASE("a sparse factor solves its equations, symmetric or not") {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  SparseFactor factor;
  double worst = 0.0;
  for (int trial = 0; trial < 400; ++trial) {
    const int n = 1 + trial / 8;
    const bool symmetric = trial % 2 == 0;
    const Eigen::MatrixXd A = random_matrix(n, symmetric, random);
    Eigen::SparseMatrix<double, Eigen::RowMajor> sparse = A.sparseView();
    sparse.makeCompressed();
    const std::vector<int> starts(sparse.outerIndexPtr(), sparse.outerIndexPtr() + n + 1);
    const std::vector<int> columns(sparse.innerIndexPtr(), sparse.innerIndexPtr() + starts.back());
    const std::vector<double> values(sparse.valuePtr(), sparse.valuePtr() + starts.back());
    factor.analyse(starts, columns);
    Eigen::VectorXd x, b(n);
    for (double& number : b) number = normal(random);
    for (const double shift : {0.1, 1.0}) {
      REQUIRE(factor.factorise(values, shift, symmetric));
      factor.solve(b, x);
      const Eigen::VectorXd residual = A * x + shift * x - b;
      worst = std::max(worst, residual.norm() / (x.norm() * (A.norm() + shift)));
    }
  }
  MESSAGE("worst relative residual " << worst);
  CHECK(worst < 1e-14);  // backward stable: the symmetric part is positive definite
  factor.analyse({0, 1}, {0});
  CHECK_FALSE(factor.factorise({-1.0}, 1.0));
}

}  // namespace
}  // namespace pequod
