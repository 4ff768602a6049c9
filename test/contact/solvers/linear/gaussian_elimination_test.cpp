#include "contact/solvers/linear/gaussian_elimination.h"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <random>
#include <vector>

#include "contact/solvers/friction/dense/scaled_friction.h"

namespace pequod {
namespace {

// Both are backward stable: they differ by rounding times the condition, here below 1e5.
TEST_CASE("elimination solves as Eigen's LU does, with the entry of b beside the matrix or not") {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int n = 1; n <= 40; ++n) {
    RowMajorMatrix A(n, n);
    Eigen::VectorXd b(n);
    for (double& x : A.reshaped()) x = normal(random);
    for (double& x : b) x = normal(random);
    const Eigen::VectorXd expected = A.fullPivLu().solve(b);

    RowMajorMatrix beside(n, n + 3);
    beside << A, b, Eigen::MatrixXd::Zero(n, 2);
    Eigen::VectorXd x(n);
    REQUIRE(eliminate(beside.data(), n, n + 3, x.data()));
    CHECK((x - expected).norm() < 1e-10 * expected.norm());

    std::vector<int> pivots(n);
    REQUIRE(factorise_eliminated(A.data(), n, n, pivots.data()));
    solve_eliminated(A.data(), n, n, pivots.data(), b.data());
    CHECK((b - expected).norm() < 1e-10 * expected.norm());
  }
}

TEST_CASE("elimination refuses a column of zeros and what is not a number") {
  std::vector<double> zero = {0, 1, 1, 0, 1, 1}, nan = {NAN, 1, 1, 0, 1, 1};
  std::vector<double> x(2);
  CHECK_FALSE(eliminate(zero.data(), 2, 3, x.data()));
  CHECK_FALSE(eliminate(nan.data(), 2, 3, x.data()));
}

}  // namespace
}  // namespace pequod
