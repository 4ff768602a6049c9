#include "contact/solvers/linear/active_set_factor.h"

#include <doctest/doctest.h>

#include <random>

namespace pequod {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

/// Largest deviation of Q from orthonormal columns and of Q R from the rows in the set.
double error(const ActiveSetFactor& factor, const MatrixXd& G) {
  const Eigen::Index m = G.rows(), r = factor.size();
  MatrixXd Q(m, r);
  double worst = 0;
  for (Eigen::Index j = 0; j < r; ++j) {
    const VectorXd unit = VectorXd::Unit(r, j);
    VectorXd column = VectorXd::Zero(m);
    factor.apply_Q(unit.data(), column.data());
    Q.col(j) = column;
  }
  worst = (Q.transpose() * Q - MatrixXd::Identity(r, r)).norm();
  for (Eigen::Index j = 0; j < r; ++j) {
    // A = Q R, so R⁻¹Qᵀ takes row j of the set to the unit vector j.
    VectorXd x = VectorXd::Zero(r);
    factor.subtract_Q_transposed(G.col(factor.rows()[j]).data(), x.data());
    factor.solve_upper(x.data());
    worst = std::max(worst, (x + VectorXd::Unit(r, j)).norm());
  }
  return worst;
}

// 1000 random entries and departures; the tolerance is rounding times a few hundred rotations and
// the condition of up to twelve random rows in twelve dimensions.
TEST_CASE("the factor belongs to the set after any series of entries and departures") {
  const int m = 12, n = 40;
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  MatrixXd G(m, n);
  for (double& x : G.reshaped()) x = normal(random);
  G.colwise().normalize();
  ActiveSetFactor factor;
  factor.reset(m, n, m);
  double worst = 0;
  for (int move = 0; move < 1000; ++move) {
    const int row = static_cast<int>(random() % n);
    const bool enter = factor.size() == 0 || (random() % 3 != 0 && factor.size() < m);
    if (enter && !factor.contains(row) && factor.split(G.col(row)) > 1e-2)
      factor.append(row);
    else if (factor.size() > 0)
      factor.remove(static_cast<Eigen::Index>(random() % factor.rows().size()));
    worst = std::max(worst, error(factor, G));
  }
  INFO("worst error ", worst);
  CHECK(worst < 1e-12);
}

TEST_CASE("a repeated row has no remainder and its own coordinates") {
  ActiveSetFactor factor;
  factor.reset(3, 3, 3);
  const Eigen::Vector3d g = Eigen::Vector3d(1.0, 2.0, 2.0) / 3.0;
  CHECK(factor.split(g) == doctest::Approx(1.0));
  factor.append(2);
  CHECK(factor.split(g) < 1e-16);
  CHECK(factor.coordinates()[0] == doctest::Approx(1.0));
  CHECK(factor.contains(2));
  CHECK_FALSE(factor.contains(0));
}

TEST_CASE("a full set leaves no remainder") {
  ActiveSetFactor factor;
  factor.reset(2, 3, 2);
  for (int i = 0; i < 2; ++i) {
    factor.split(Eigen::Vector2d::Unit(i));
    factor.append(i);
  }
  CHECK(factor.split(Eigen::Vector2d(0.6, 0.8)) == 0.0);
}

}  // namespace
}  // namespace pequod
