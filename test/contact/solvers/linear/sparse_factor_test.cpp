#include "contact/solvers/linear/sparse_factor.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace pequod {
namespace {

// B Bᵀ + 0.1.
Eigen::MatrixXd random_matrix(int n, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(n, n);
  for (int entry = 0; entry < 2 * n; ++entry)
    B(static_cast<int>(random() % n), static_cast<int>(random() % n)) = normal(random);
  return B * B.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n);
}

// Against the equations. One object for all sizes and structures; of each first all rows, then two
// of three.
TEST_CASE("a sparse factor solves the equations of the rows that are wanted") {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  SparseFactor factor;
  std::vector<char> left_out;
  double worst = 0.0;
  for (int trial = 0; trial < 400; ++trial) {
    const int n = 1 + trial / 8;
    const Eigen::MatrixXd A = random_matrix(n, random);
    Eigen::SparseMatrix<double, Eigen::RowMajor> sparse = A.sparseView();
    sparse.makeCompressed();
    const std::vector<int> starts(sparse.outerIndexPtr(), sparse.outerIndexPtr() + n + 1);
    const std::vector<int> columns(sparse.innerIndexPtr(), sparse.innerIndexPtr() + starts.back());
    const std::vector<double> values(sparse.valuePtr(), sparse.valuePtr() + starts.back());
    factor.analyse(starts, columns);
    Eigen::VectorXd x, b(n);
    for (double& number : b) number = normal(random);
    for (const bool all : {true, false}) {
      std::vector<char> wanted(static_cast<std::size_t>(n), 1);
      for (int i = 0; i < n && !all; i += 3) wanted[static_cast<std::size_t>(i)] = 0;
      REQUIRE(factor.factorise(values, 1e-12, wanted, left_out));
      factor.solve(b, x);
      Eigen::VectorXd residual = A * x - b;
      for (int i = 0; i < n; ++i)
        if (!wanted[static_cast<std::size_t>(i)]) {
          CHECK(x[i] == 0.0);
          residual[i] = 0.0;
        }
      worst = std::max(worst, residual.norm() / (x.norm() * A.norm() + b.norm()));
    }
  }
  MESSAGE("worst relative residual " << worst);
  CHECK(worst < 1e-14);  // backward stable: A is positive definite
}

TEST_CASE("a sparse factor leaves out what repeats other rows, and tells it") {
  SparseFactor factor;
  std::vector<char> left_out;
  factor.analyse({0, 2, 4}, {0, 1, 0, 1});
  CHECK_FALSE(factor.factorise({1.0, 1.0, 1.0, 1.0}, 1e-12, {1, 1}, left_out));
  CHECK(left_out[0] + left_out[1] == 1);
  Eigen::VectorXd x;
  factor.solve(Eigen::Vector2d(3.0, 3.0), x);
  CHECK(x.sum() == doctest::Approx(3.0));
}

}  // namespace
}  // namespace pequod
