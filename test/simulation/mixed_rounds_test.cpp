#include "simulation/trial/mixed_rounds.h"

#include <doctest/doctest.h>

#include <cmath>

namespace pequod {
namespace {

// @param g  x ← g(x), one round. @return rounds until x is off by at most `close`, from `x` on
template <typename Round>
int rounds_until(const Round& g, VectorXd x, const VectorXd& truth, double close,
                 double near = kInfinity) {
  MixedRounds rounds;
  rounds.start();
  for (int round = 0; round < 1000; ++round) {
    if ((x - truth).norm() <= close) return round;
    rounds.mix(g(x), near, x);
  }
  return 1000;
}

}  // namespace

TEST_SUITE("mixed rounds") {
  // Of linear rounds in n unknowns, n differences tell all: round n + 2 stands at the fixed point.
  TEST_CASE("linear rounds end after as many as there are unknowns") {
    Eigen::Matrix3d A;
    A << 0.9, 0.3, 0.0, -0.2, 0.8, 0.1, 0.0, 0.1, -0.7;
    const Eigen::Vector3d truth(1.0, -2.0, 3.0);
    const auto g = [&](const VectorXd& x) -> VectorXd { return truth + A * (x - truth); };
    CHECK(rounds_until(g, VectorXd::Zero(3), truth, 1e-11) <= 5);
  }

  // x = cos x at 0.739085…: by itself a round gains a factor of 0.67, so that 1e-13 takes 73.
  TEST_CASE("one unknown is found as by the secant method") {
    const VectorXd truth = VectorXd::Constant(1, 0.73908513321516064);
    const auto g = [](const VectorXd& x) -> VectorXd { return x.array().cos(); };
    CHECK(rounds_until(g, VectorXd::Constant(1, 0.5), truth, 1e-13) <= 7);
  }

  // |x| turns at 0: rounds from one side tell nothing of the other.
  TEST_CASE("rounds with a kink arrive too") {
    const VectorXd truth = VectorXd::Constant(1, -0.4 / 1.9);
    const auto g = [](const VectorXd& x) -> VectorXd {
      return VectorXd::Constant(1, (x[0] < 0.0 ? -0.9 : 0.5) * x[0] - 0.4);
    };
    CHECK(rounds_until(g, VectorXd::Constant(1, 5.0), truth, 1e-13) <= 20);
  }

  // From 1 rounds come down to 0 in even steps, of which a secant tells a fixed point far beyond:
  // it goes to the other, −3.
  TEST_CASE("of several fixed points the one is found that rounds from far off lead to") {
    const VectorXd truth = VectorXd::Zero(1), start = VectorXd::Constant(1, 1.0);
    const auto g = [](const VectorXd& x) -> VectorXd {
      const double r = x[0] > -1.5 ? -0.3 * std::tanh(4.0 * x[0]) : -0.5 * (x[0] + 3.0);
      return VectorXd::Constant(1, x[0] + r);
    };
    CHECK(rounds_until(g, start, truth, 1e-12, 0.1) <= 12);
    CHECK(rounds_until(g, start, VectorXd::Constant(1, -3.0), 1e-12) <=
          12);  // mixed from the first
  }
}

}  // namespace pequod
