#include "contact/solvers/complementarity/lcp_problem.h"

#include <doctest/doctest.h>

#include <cmath>

namespace pequod {
namespace {

using Eigen::MatrixXd, Eigen::Vector2d, Eigen::Vector3d, Eigen::VectorXd;

// w = (1, −2, 3); the natural map is z − (z − w)⁺ = min(z, w) = (0.5, −2, 0).
TEST_CASE("residuals of a point are those of the natural map") {
  const LcpProblem problem{MatrixXd::Identity(3, 3), Vector3d(0.5, -6.0, 3.0)};
  LcpSolution solution;
  solution.z = Vector3d(0.5, 4.0, 0.0);
  measure(problem, solution);
  CHECK(solution.w == Vector3d(1.0, -2.0, 3.0));
  CHECK(solution.residuals.natural == doctest::Approx(std::hypot(0.5, 2.0)));
  const double size = problem.q.norm();  // the largest of |q|, |z|, |w|
  CHECK(solution.residuals.relative == doctest::Approx(std::hypot(0.5, 2.0) / size));
  CHECK(solution.residuals.infeasibility == 2.0);
  CHECK(solution.residuals.complementarity == 0.5);
}

// Lower bound, upper bound, between: w may be ≥ 0, ≤ 0, and must be 0.
TEST_CASE("a box wants w of the sign of its bound") {
  const BoxProblem problem{MatrixXd::Zero(3, 3), Vector3d(2.0, -3.0, 0.0), Vector3d::Constant(-1.0),
                           Vector3d::Constant(1.0)};
  LcpSolution solution;
  solution.z = Vector3d(-1.0, 1.0, 0.3);
  measure(problem, solution);
  CHECK(solution.residuals.natural == 0.0);
  CHECK(solution.residuals.complementarity == 0.0);
  solution.z = Vector3d(1.0, 1.0, 0.3);
  measure(problem, solution);
  CHECK(solution.residuals.natural == 2.0);          // 1 − max(−1, 1 − 2)
  CHECK(solution.residuals.complementarity == 4.0);  // |w| = 2, two from the lower bound
}

TEST_CASE("an equality wants w = 0 and leaves z free") {
  const BoxProblem problem = as_box({MatrixXd::Identity(2, 2), Vector2d(3.0, 1.0), {1, 0}});
  LcpSolution solution;
  solution.z = Vector2d(-3.0, 0.0);
  measure(problem, solution);
  CHECK(solution.residuals.natural == 0.0);
  solution.z = Vector2d(-2.0, 0.0);
  measure(problem, solution);
  CHECK(solution.residuals.natural == 1.0);
  CHECK(solution.residuals.infeasibility == 1.0);
}

// w₁ = −z₂ − 1 < 0 for every z ≥ 0, so p = (1, 0) is a proof; −p has the wrong sign, and (0, 1)
// says nothing.
TEST_CASE("a proof that there is no solution is checked by its signs") {
  const LcpProblem problem{(MatrixXd(2, 2) << 0, -1, 1, 0).finished(), Vector2d(-1.0, 5.0)};
  CHECK(std::isinf(ruled_out(problem, Vector2d(1.0, 0.0))));
  CHECK(ruled_out(problem, Vector2d(-1.0, 0.0)) == 0.0);
  CHECK(ruled_out(problem, Vector2d(0.0, 1.0)) == 0.0);
}

// w₁ = z₁/1000 − 1 becomes positive only beyond z₁ = 1000.
TEST_CASE("a near proof says how large a solution must be") {
  const LcpProblem problem{MatrixXd::Constant(1, 1, 1e-3), VectorXd::Constant(1, -1.0)};
  CHECK(ruled_out(problem, VectorXd::Constant(1, 2.0)) == doctest::Approx(1000.0));
}

TEST_CASE("sizes and bounds that do not fit are named") {
  CHECK_THROWS_WITH_AS(static_cast<void>(as_box({MatrixXd::Zero(2, 2), Vector2d::Zero(), {1}})),
                       "mixed complementarity problem: 1 equality flags but q has 2 entries",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(check_sizes(BoxProblem{MatrixXd::Zero(2, 2), Vector2d::Zero(),
                                              Vector2d::Zero(), VectorXd::Zero(1)}),
                       "box problem: 2 lower and 1 upper bounds but q has 2 entries",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(
      check_sizes(
          BoxProblem{MatrixXd::Zero(2, 2), Vector2d::Zero(), Vector2d(0, 3), Vector2d(1, 2)}),
      "box problem: row 1: the lower bound 3.000000 is above the upper one 2.000000",
      std::invalid_argument);
}

}  // namespace
}  // namespace pequod
