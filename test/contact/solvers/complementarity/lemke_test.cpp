#include "contact/solvers/complementarity/lemke.h"

#include <doctest/doctest.h>

#include <random>

namespace pequod {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

MatrixXd normal(std::mt19937& random, int rows, int columns) {
  std::normal_distribution<double> distribution;
  MatrixXd result(rows, columns);
  for (double& x : result.reshaped()) x = distribution(random);
  return result;
}

TEST_CASE("a box that presses on the floor gets its weight back") {
  const LcpProblem problem{MatrixXd::Constant(1, 1, 0.5), VectorXd::Constant(1, -4.0)};
  const LcpSolution solution = solve_lemke(problem);
  REQUIRE(solution.status == SolveStatus::solved);
  CHECK(solution.z[0] == doctest::Approx(8.0));
  CHECK(solution.w[0] == doctest::Approx(0.0));
  CHECK(solution.residuals.complementarity < 1e-15);
}

TEST_CASE("contacts that open carry nothing and take no pivot") {
  const LcpProblem problem{MatrixXd::Identity(3, 3), VectorXd::Ones(3)};
  const LcpSolution solution = solve_lemke(problem);
  CHECK(solution.status == SolveStatus::solved);
  CHECK(solution.z.isZero(0.0));
  CHECK(solution.pivots == 0);
}

TEST_CASE("a problem without unknowns is solved") {
  CHECK(solve_lemke({}).status == SolveStatus::solved);
}

// Positive definite, not symmetric: one solution, found for every q.
TEST_CASE("unsymmetric positive definite problems are solved to rounding") {
  std::mt19937 random(1);
  double worst = 0;
  for (int i = 0; i < 300; ++i) {
    const int n = 1 + static_cast<int>(random() % 30);
    const MatrixXd A = normal(random, n, n), B = normal(random, n, n);
    const LcpProblem problem{A * A.transpose() + B - B.transpose() + MatrixXd::Identity(n, n),
                             normal(random, n, 1)};
    const LcpSolution solution = solve_lemke(problem);
    REQUIRE(solution.status == SolveStatus::solved);
    worst = std::max(worst, solution.residuals.natural);
  }
  INFO("worst ", worst);
  CHECK(worst < 1e-12);
}

// Rows w₁ + w₂ = q₁ + q₂ < 0 for every z: p = (1, 1) proves it.
TEST_CASE("between closing walls the ray is a proof") {
  const LcpProblem problem{(MatrixXd(2, 2) << 1, -1, -1, 1).finished(), Eigen::Vector2d(-1.0, 0.5)};
  const LcpSolution solution = solve_lemke(problem);
  REQUIRE(solution.status == SolveStatus::no_solution);
  CHECK(solution.certificate.isApprox(solution.certificate[0] * VectorXd::Ones(2)));
  CHECK(std::isinf(ruled_out(problem, solution.certificate)));
}

// Cottle, Pang & Stone: without a rule for ties Lemke's method can cycle on degenerate problems.
// All q equal and all rows equal is as degenerate as contact gets.
TEST_CASE("a hundred equal contacts are solved without a cycle") {
  const int n = 100;
  const LcpProblem problem{MatrixXd::Ones(n, n), VectorXd::Constant(n, -1.0)};
  const LcpSolution solution = solve_lemke(problem);
  REQUIRE(solution.status == SolveStatus::solved);
  CHECK(solution.z.sum() == doctest::Approx(1.0));
  CHECK(solution.pivots < 2 * n);
}

// As in a stack with a mass ratio of 1e3 and repeated contacts: rank 6 of 12, eigenvalues from
// 1e-6. Rounding hides the pivots of a few such problems from every shift; those must not be
// claimed.
TEST_CASE("regularisation keeps the residual of the problem as given") {
  std::mt19937 random(4);
  int helped = 0, lost = 0;
  double worst = 0;
  for (int i = 0; i < 200; ++i) {
    MatrixXd G = normal(random, 6, 12);
    G.topRows(3) *= 1e-3;
    G.rightCols(4) = G.leftCols(4);
    const LcpProblem problem{G.transpose() * G, G.transpose() * normal(random, 6, 1)};
    const LcpSolution solution = solve_lemke(problem);
    CHECK(solution.status != SolveStatus::no_solution);
    if (solution.status != SolveStatus::solved) {
      ++lost;
      continue;
    }
    helped += solution.switches > 0;
    const VectorXd w = problem.M * solution.z + problem.q;
    worst = std::max(
        worst, solution.z.cwiseMin(w).cwiseAbs().maxCoeff() / problem.q.cwiseAbs().maxCoeff());
  }
  MESSAGE("a shift helped ", helped, ", lost ", lost, " of 200; worst residual ", worst);
  CHECK(lost <= 6);
  CHECK(worst < 1e-9);
}

TEST_CASE("the limit of pivots and data that are not finite are failures with a reason") {
  LcpOptions options;
  options.max_iterations = 1;
  const LcpProblem problem{MatrixXd::Identity(3, 3), VectorXd::Constant(3, -1.0)};
  const LcpSolution limited = solve_lemke(problem, options);
  CHECK(limited.status == SolveStatus::failed);
  CHECK(limited.reason == "the limit of pivots is reached");
  const LcpSolution nan = solve_lemke({MatrixXd::Identity(1, 1), VectorXd::Constant(1, NAN)});
  CHECK(nan.status == SolveStatus::failed);
  CHECK(nan.reason == "the data are not finite");
}

// Random M are seldom copositive, so a ray alone says nothing; a certificate must be Farkas's.
TEST_CASE("a ray without proof is a failure or a solution, never a claim") {
  std::mt19937 random(7);
  int rays = 0;
  for (int i = 0; i < 2000; ++i) {
    const LcpProblem problem{normal(random, 4, 4), normal(random, 4, 1)};
    const LcpSolution solution = solve_lemke(problem);
    if (solution.status == SolveStatus::solved) CHECK(solution.residuals.relative <= 1e-10);
    if (solution.status != SolveStatus::no_solution) continue;
    ++rays;
    CHECK(solution.certificate.minCoeff() >= 0);
    CHECK((problem.M.transpose() * solution.certificate).maxCoeff() <
          1e-12 * solution.certificate.norm());
    CHECK(problem.q.dot(solution.certificate) < 0);
  }
  CHECK(rays > 0);
}

TEST_CASE("a matrix that does not fit its vector is named") {
  CHECK_THROWS_WITH_AS(
      static_cast<void>(solve_lemke({MatrixXd::Identity(2, 3), VectorXd::Ones(2)})),
      "linear complementarity problem: M is 2×3 but q has 2 entries", std::invalid_argument);
}

}  // namespace
}  // namespace pequod
