#include "contact/solvers/sparse_factor.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace pequod {
namespace {

// Against a dense factor. One object for all sizes and structures, some of them twice.
TEST_CASE("a sparse factor solves what a dense one does") {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  SparseFactor factor;
  double worst = 0.0;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + trial / 4;
    Eigen::MatrixXd B = Eigen::MatrixXd::Zero(n, n);
    for (int entry = 0; entry < 2 * n; ++entry)
      B(static_cast<int>(random() % n), static_cast<int>(random() % n)) = normal(random);
    const Eigen::MatrixXd A = B * B.transpose();
    Eigen::SparseMatrix<double> sparse = A.sparseView();
    sparse.makeCompressed();
    const std::vector<int> starts(sparse.outerIndexPtr(), sparse.outerIndexPtr() + n + 1);
    const std::vector<int> rows(sparse.innerIndexPtr(), sparse.innerIndexPtr() + starts.back());
    const std::vector<double> values(sparse.valuePtr(), sparse.valuePtr() + starts.back());
    factor.analyse(starts, rows);
    Eigen::VectorXd x, b(n);
    for (double& number : b) number = normal(random);
    for (const double shift : {0.1, 1.0}) {
      REQUIRE(factor.factorise(values, shift));
      factor.solve(b, x);
      const Eigen::VectorXd residual = A * x + shift * x - b;
      worst = std::max(worst, residual.norm() / (x.norm() * (A.norm() + shift)));
    }
  }
  CHECK(worst < 1e-14);  // backward stable: A + c I is positive definite
  factor.analyse({0, 1}, {0});
  CHECK_FALSE(factor.factorise({-1.0}, 1.0));
}

}  // namespace
}  // namespace pequod
