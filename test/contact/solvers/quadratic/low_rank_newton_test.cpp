// The Newton system of an interior point, factored by the rank of the bodies, against all of it.
#include "contact/solvers/quadratic/low_rank_newton.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "test/contact/solvers/random_numbers.h"

namespace pequod {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(std::mt19937_64& random, Index rows, Index columns) {
  return MatrixXd::NullaryExpr(rows, columns, [&] { return test::uniform(random, -1.0, 1.0); });
}

// A pair inside the cone, as far from its boundary as `inside` says.
std::array<double, 3> inner(std::mt19937_64& random, double inside) {
  const double s = test::uniform(random, -1.0, 1.0), t = test::uniform(random, -1.0, 1.0);
  return {std::hypot(s, t) + inside, s, t};
}

}  // namespace

// 20 and 40 contacts on bodies of 6 … 18 coordinates; half of the contacts with a bound, μ down to
// 0 there. K is formed entry by entry and the residual measured with it.
TEST_CASE("the system of low rank has the solution of the whole") {
  std::mt19937_64 random(5);
  double worst = 0.0;
  for (int round = 0; round < 60; ++round) {
    const Index n = round % 2 ? 20 : 40, N = 3 * n, rank = 6 + round % 13, bounds = n / 2;
    const MatrixXd G = random_matrix(random, N, rank);
    const RowMajorMatrix A = G * G.transpose();
    RowMajorMatrix B = RowMajorMatrix::Zero(3 + bounds, N);
    B.topRows(3) = random_matrix(random, 3, N);
    B.row(1) = A.row(3 * (round % n));  // a normal velocity
    VectorXd mu = VectorXd::Constant(n, 0.5);
    std::vector<ConeScaling> scalings;
    for (Index k = 0; k < n; ++k) {
      const auto s = inner(random, 1e-3), z = inner(random, 1e-3);
      scalings.push_back(scale_pair(s.data(), z.data()));
      if (k < bounds) {
        B(3 + k, 3 * k) = 1.0;
        mu[k] = k % 3 ? 0.3 : 0.0;
      }
    }
    LowRankNewton system;
    REQUIRE(find_low_rank(A, B, bounds, system));
    CHECK(system.rank == rank);
    CHECK(system.V.cols() == rank + 2);
    system.linear =
        VectorXd::NullaryExpr(B.rows(), [&] { return test::uniform(random, 0.01, 1.0); });
    REQUIRE(factor_low_rank(mu, scalings, system));
    MatrixXd K = MatrixXd::Zero(N + B.rows(), N + B.rows());
    K.topLeftCorner(N, N) = A;
    for (Index k = 0; k < n; ++k)
      for (Index j = 0; j < 3; ++j) {
        const Eigen::Vector3d C(mu[k], 1.0, 1.0), unit = Eigen::Vector3d::Unit(j);
        Eigen::Vector3d column;
        scalings[static_cast<std::size_t>(k)].apply_inverse_square(unit.data(), column.data());
        K.block<3, 1>(3 * k, 3 * k + j) += C.cwiseProduct(column) * C[j];
      }
    K.bottomLeftCorner(B.rows(), N) = B;
    K.topRightCorner(N, B.rows()) = B.transpose();
    K.bottomRightCorner(B.rows(), B.rows()) = -MatrixXd(system.linear.asDiagonal());
    const VectorXd right = random_matrix(random, N + B.rows(), 1);
    VectorXd solution = right;
    CHECK_FALSE(solve_low_rank(A, B, 0.0, system, solution));
    CHECK(solution == right);
    REQUIRE(solve_low_rank(A, B, right.norm(), system, solution));
    const double size = K.cwiseAbs().maxCoeff() * solution.norm();
    worst = std::max(worst, (K * solution - right).norm() / size);
  }
  CHECK(worst <= 1e-12);  // refined twice with K itself: some roundings of its largest entry
}

TEST_CASE("few contacts and full rank are left to the whole system") {
  std::mt19937_64 random(6);
  LowRankNewton system;
  const MatrixXd few = random_matrix(random, 12, 4), full = random_matrix(random, 60, 60);
  CHECK_FALSE(find_low_rank(few * few.transpose(), RowMajorMatrix::Zero(1, 12), 0, system));
  CHECK_FALSE(find_low_rank(full * full.transpose(), RowMajorMatrix::Zero(1, 60), 0, system));
}

}  // namespace pequod
