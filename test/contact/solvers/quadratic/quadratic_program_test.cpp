#include "contact/solvers/quadratic/quadratic_program.h"

#include <doctest/doctest.h>

#include <random>

#include "test/support/worst.h"

namespace pequod {
namespace {

using Eigen::MatrixXd, Eigen::Vector2d, Eigen::VectorXd;

QuadraticSolution solve(const QuadraticProblem& problem) {
  QuadraticWorkspace workspace;
  QuadraticSolution solution;
  solve_quadratic_program(problem, {}, workspace, solution);
  return solution;
}

// Nocedal & Wright 2006, example 16.4: min (x₁ − 1)² + (x₂ − 2.5)², answer (1.4, 1.7).
TEST_CASE("the textbook's quadratic program has its answer") {
  QuadraticProblem problem{2.0 * MatrixXd::Identity(2, 2), Vector2d(-2, -5), Vector2d::Zero(),
                           MatrixXd(3, 2), Eigen::Vector3d(-2, -6, -2)};
  problem.A << 1, -2, -1, -2, -1, 2;
  const QuadraticSolution solution = solve(problem);
  REQUIRE(solution.status == SolveStatus::solved);
  CHECK((solution.x - Vector2d(1.4, 1.7)).norm() < 1e-12);
  CHECK((solution.lambda - Eigen::Vector3d(0.8, 0, 0)).norm() < 1e-12);
}

// Optimality is its own proof: gradient balanced by multipliers ≥ 0 of rows that are met.
TEST_CASE("programs of any rank are solved to their optimality conditions") {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  const auto draw = [&](int rows, int columns) {
    MatrixXd A(rows, columns);
    for (double& x : A.reshaped()) x = normal(random);
    return A;
  };
  test::Worst stationarity, infeasibility, complementarity, reported;
  for (int i = 0; i < 300; ++i) {
    const int n = 2 + static_cast<int>(random() % 12), rank = 1 + static_cast<int>(random() % n);
    const int k = static_cast<int>(random() % 8);
    const MatrixXd G = draw(rank, n);
    // q = −M a + multipliers, so that a minimum exists; a point inside makes the rows consistent.
    QuadraticProblem problem{G.transpose() * G, {}, draw(n, 1), draw(k, n), {}};
    const VectorXd inside = problem.lower + draw(n, 1).cwiseAbs();
    problem.b = problem.A * inside - draw(k, 1).cwiseAbs();
    problem.q = -problem.M * draw(n, 1) + draw(n, 1).cwiseAbs();
    const QuadraticSolution solution = solve(problem);
    INFO(solution.reason);
    REQUIRE(solution.status == SolveStatus::solved);
    CHECK(solution.mu.minCoeff() >= 0);
    if (k > 0) CHECK(solution.lambda.minCoeff() >= 0);
    // The conditions again, from the data; rows and columns are of order 1 to 10.
    const VectorXd& x = solution.x;
    VectorXd gradient = problem.M * x + problem.q - solution.mu;
    VectorXd slack = x - problem.lower, multiplier = solution.mu;
    if (k > 0) {
      gradient -= problem.A.transpose() * solution.lambda;
      slack.conservativeResize(n + k);
      slack.tail(k) = problem.A * x - problem.b;
      multiplier.conservativeResize(n + k);
      multiplier.tail(k) = solution.lambda;
    }
    stationarity.see(gradient.cwiseAbs().maxCoeff());
    infeasibility.see(-slack.minCoeff());
    complementarity.see(slack.cwiseProduct(multiplier).cwiseAbs().maxCoeff());
    for (const double residual : {solution.residuals.stationarity, solution.residuals.infeasibility,
                                  solution.residuals.complementarity})
      reported.see(residual);
  }
  MESSAGE("stationarity ", stationarity.value(), ", infeasibility ", infeasibility.value(),
          ", complementarity ", complementarity.value(), "; reported ", reported.value());
  CHECK(stationarity.value() < 1e-9);
  CHECK(infeasibility.value() < 1e-9);
  CHECK(complementarity.value() < 1e-9);
  CHECK(reported.value() <= 1e-10);  // what the solver promises
}

TEST_CASE("constraints that contradict each other are proved to") {
  QuadraticProblem problem{MatrixXd::Identity(2, 2), Vector2d::Zero(), Vector2d::Zero(),
                           MatrixXd(1, 2), VectorXd::Constant(1, 1.0)};
  problem.A << -1, -1;  // x₁ + x₂ ≤ −1
  const QuadraticSolution solution = solve(problem);
  REQUIRE(solution.status == SolveStatus::no_solution);
  CHECK((solution.mu + problem.A.transpose() * solution.lambda).norm() < 1e-12);
  CHECK(problem.b.dot(solution.lambda) + problem.lower.dot(solution.mu) > 0);
}

TEST_CASE("a program without minimum, and an indefinite one, fail with the reason") {
  const QuadraticProblem falls{MatrixXd::Zero(1, 1), VectorXd::Constant(1, -1.0), VectorXd::Zero(1),
                               MatrixXd(0, 1), VectorXd(0)};
  CHECK(solve(falls).status == SolveStatus::failed);
  const QuadraticProblem saddle{-MatrixXd::Identity(1, 1), VectorXd::Constant(1, -1.0),
                                VectorXd::Zero(1), MatrixXd(0, 1), VectorXd(0)};
  CHECK(solve(saddle).reason == "M is not symmetric positive semidefinite");
  CHECK_THROWS_WITH_AS(solve({MatrixXd::Identity(2, 2), Vector2d::Zero(), Vector2d::Zero(),
                              MatrixXd(1, 3), VectorXd::Zero(1)}),
                       "quadratic program: A is 1×3 but b has 1 entries and q has 2",
                       std::invalid_argument);
}

}  // namespace
}  // namespace pequod
