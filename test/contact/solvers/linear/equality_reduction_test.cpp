#include "contact/solvers/linear/equality_reduction.h"

#include <doctest/doctest.h>

#include <random>

namespace pequod {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

TEST_CASE("split coordinates keep lengths, and the leading ones meet the equalities") {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  const int m = 9;
  MatrixXd E(m, 6);
  for (double& x : E.reshaped()) x = normal(random);
  E.col(2) = E.col(0) - 3.0 * E.col(1);
  E.col(4).setZero();
  const VectorXd inside = VectorXd::Ones(m);
  const VectorXd e = E.transpose() * inside;

  EqualityReduction reduction;
  reduction.reset(m);
  reduction.factor(E, e, 1e-9);
  CHECK(reduction.accepted() == std::vector<int>{0, 1, 3, 5});

  VectorXd y = inside;
  reduction.to_split(y.data());
  CHECK(y.norm() == doctest::Approx(3.0));
  CHECK((y.head(4) - reduction.fixed()).norm() < 1e-14);
  y.tail(5).setRandom();  // free coordinates do not disturb the equalities
  reduction.from_split(y.data());
  CHECK((E.transpose() * y - e).norm() < 1e-13);
}

TEST_CASE("multipliers of the accepted columns reproduce a force in their span") {
  MatrixXd E(3, 2);
  E << 1, 1,  //
      0, 2,   //
      0, 0;
  EqualityReduction reduction;
  reduction.reset(3);
  reduction.factor(E, Eigen::Vector2d::Zero(), 1e-9);
  VectorXd force = E * Eigen::Vector2d(3.0, -4.0), fe(2);
  reduction.to_split(force.data());
  CHECK(force.tail(1).norm() < 1e-15);
  reduction.multipliers(force.data(), fe);
  CHECK((fe - Eigen::Vector2d(3.0, -4.0)).norm() < 1e-14);
}

// sin α is what is left of the second column: 2e-9 is independent, 5e-10 is not.
TEST_CASE("nearly parallel equalities count as one below 1e-9") {
  for (const double angle : {2e-9, 5e-10}) {
    MatrixXd E(2, 2);
    E << 1.0, 1.0,  //
        0.0, angle;
    EqualityReduction reduction;
    reduction.reset(2);
    reduction.factor(E, Eigen::Vector2d::Zero(), 1e-9);
    CHECK(reduction.rank() == (angle > 1e-9 ? 2 : 1));
  }
}

}  // namespace
}  // namespace pequod
