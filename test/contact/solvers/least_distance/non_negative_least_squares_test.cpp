#include "contact/solvers/least_distance/non_negative_least_squares.h"

#include <doctest/doctest.h>

#include <random>

#include "test/support/worst.h"

namespace pequod {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

TEST_CASE("a target behind all columns is best met by nothing") {
  CHECK(solve_non_negative_least_squares(MatrixXd::Identity(3, 3), -VectorXd::Ones(3)).isZero(0.0));
  CHECK(solve_non_negative_least_squares(MatrixXd(3, 0), VectorXd::Ones(3)).size() == 0);
}

// Optimal: the slope Aᵀ(b − A z) is ≤ 0 everywhere and zero where z > 0. A third of the columns
// repeat others, half of the targets lie in the cone of the columns.
TEST_CASE("non-negative least squares ends where no allowed step descends") {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  test::Worst slope, product, missed;
  for (int i = 0; i < 2000; ++i) {
    const int m = 1 + static_cast<int>(random() % 12), n = 1 + static_cast<int>(random() % 30);
    MatrixXd A(m, n);
    for (double& x : A.reshaped()) x = normal(random);
    A.colwise().normalize();
    for (int j = 1; j < n; ++j)
      if (random() % 3 == 0)
        A.col(j) = A.col(static_cast<int>(random() % static_cast<unsigned>(j)));
    VectorXd b(m);
    for (double& x : b) x = normal(random);
    const bool reachable = random() % 2 == 0;
    if (reachable) b = A * VectorXd::NullaryExpr(n, [&] { return std::abs(normal(random)); });
    const VectorXd z = solve_non_negative_least_squares(A, b);
    REQUIRE(z.minCoeff() >= 0.0);
    const VectorXd descent = A.transpose() * (b - A * z) / b.norm();
    slope.see(std::max(0.0, descent.maxCoeff()));
    product.see(descent.cwiseProduct(z).cwiseAbs().maxCoeff() / b.norm());
    if (reachable) missed.see((b - A * z).norm() / b.norm());
  }
  INFO("slope ", slope.value(), ", product ", product.value(), ", missed ", missed.value());
  CHECK(slope.value() < 1e-12);
  CHECK(product.value() < 1e-10);
  CHECK(missed.value() < 1e-12);
}

}  // namespace
}  // namespace pequod
