// Shares of friction in place of multipliers.
#include "contact/floating_rows.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

namespace pequod {

// Truth: the same rows solved with the shared friction as part of the force. 1e-9: random 8×3
// columns and 2×2 responses are seldom worse conditioned than 1e4.
TEST_CASE("with the shares found, floating rows need no multiplier") {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  const auto fill = [&](Eigen::Index rows, Eigen::Index columns) {
    return MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); }).eval();
  };
  double worst = 0.0;
  for (int repeat = 0; repeat < 200; ++repeat) {
    const MatrixXd G = fill(8, 5), pull = fill(8, 2);
    const VectorXd y0 = 0.1 * fill(8, 1), e = 0.1 * fill(5, 1);
    HeldRows rows;
    rows.reset(8);
    for (Eigen::Index i = 0; i < 5; ++i) rows.add(G.col(i));
    VectorXd y = y0, f;
    FloatingShares shares;
    solve_floating(rows, e, pull, 3, VectorXd::Ones(2), y, f, shares);
    if ((shares.share.array().abs() >= 1.0).any()) continue;  // those are cut off at some length
    VectorXd y_with = y0 + pull * shares.share, f_with;
    rows.solve(e, y_with, f_with);
    worst = std::max({worst, (y - y_with).norm(), (f - f_with).norm(), f_with.tail(2).norm(),
                      (G.transpose() * y - e).norm()});
    for (Eigen::Index j = 0; j < 2; ++j)
      for (const bool whole : {false, true}) {
        VectorXd share = shares.share;
        share[j] = whole ? 1.0 : 0.0;
        y_with = y0 + pull * share;
        rows.solve(e, y_with, f_with);
        const double expected = whole ? shares.to_close[j] : shares.to_open[j];
        const double inside = whole ? 1.0 - shares.share[j] : shares.share[j];
        worst = std::max(worst, std::abs(std::copysign(f_with[3 + j], inside) - expected));
      }
  }
  CHECK(worst > 0.0);
  CHECK(worst <= 1e-9);
}

// Rows that repeat each other, as those of flush faces do, need one sum of their frictions only:
// equal frictions, α each, lift what (f + 2αp) g = 0 asks. 1e-14: a dozen operations on numbers
// near 1.
TEST_CASE("contacts that repeat each other share equally") {
  HeldRows rows;
  rows.reset(2);
  const VectorXd g = VectorXd::Unit(2, 0);
  for (int i = 0; i < 2; ++i) rows.add(g);
  MatrixXd pull(2, 2);
  pull << 1.0, 1.0, 0.0, 0.0;
  for (const double weight : {0.2, 0.5, 1.0, 1.8}) {
    VectorXd y = -weight * g, f;
    FloatingShares shares;
    solve_floating(rows, VectorXd::Zero(2), pull, 0, VectorXd::Ones(2), y, f, shares);
    for (int i = 0; i < 2; ++i) {
      CHECK(std::abs(shares.share[i] - 0.5 * weight) < 1e-14);
      CHECK(shares.to_open[i] > 0.0);
      CHECK(shares.to_close[i] > 0.0);
    }
    CHECK(y.norm() < 1e-14);
    // Of shares that were apart before the same sum is as far apart.
    y = -weight * g;
    solve_floating(rows, VectorXd::Zero(2), pull, 0, Eigen::Vector2d(0.3, 0.7), y, f, shares);
    CHECK(std::abs(shares.share[0] - (0.5 * weight - 0.2)) < 1e-14);
    CHECK(std::abs(shares.share[1] - (0.5 * weight + 0.2)) < 1e-14);
  }
}

// A row that the closed ones repeat never carries a force, so nothing determines its share.
TEST_CASE("a share that nothing determines stays") {
  HeldRows rows;
  rows.reset(2);
  rows.add(VectorXd::Unit(2, 0));
  rows.add(VectorXd::Unit(2, 0));
  VectorXd y = VectorXd::Zero(2), f;
  FloatingShares shares;
  solve_floating(rows, VectorXd::Zero(2), VectorXd::Unit(2, 1), 1, VectorXd::Constant(1, 0.4), y, f,
                 shares);
  CHECK(shares.share[0] == 0.4);
  CHECK(f.isZero(0.0));
}

}  // namespace pequod
