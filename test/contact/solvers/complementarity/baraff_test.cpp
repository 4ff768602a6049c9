#include "contact/solvers/complementarity/baraff.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "test/support/worst.h"

namespace pequod {
namespace {

using Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;

constexpr double kG = 9.81;  // m/s²

LcpSolution solve(const BaraffProblem& problem) {
  LcpWorkspace workspace;
  LcpSolution solution;
  solve_baraff(problem, {}, workspace, solution);
  return solution;
}

/// A block of mass m on a slope: normal, along the slope, across.
BaraffProblem block(double m, double slope, double mu, double across = 0) {
  return {MatrixXd::Identity(3, 3) / m,
          Vector3d(-kG * std::cos(slope), kG * std::sin(slope), across),
          {-1, 0, 0},
          Vector3d::Constant(mu)};
}

// Below arctan μ it rests; above, a = g (sin θ − μ cos θ).
TEST_CASE("a block on a slope rests below arctan mu and slides above") {
  const double mu = 0.5, m = 2.0;
  for (const double slope : {0.1, 0.3, 0.46, 0.47, 0.8, 1.2}) {
    const LcpSolution solution = solve(block(m, slope, mu));
    REQUIRE(solution.status == SolveStatus::solved);
    CHECK(solution.solver == "baraff");
    const double slide = std::max(0.0, kG * (std::sin(slope) - mu * std::cos(slope)));
    CHECK(solution.z[0] == doctest::Approx(m * kG * std::cos(slope)));
    CHECK(solution.w[1] == doctest::Approx(slide).scale(1));
  }
}

// Two tangent directions are bounded one by one: a square, so a block pushed along its diagonal
// meets √2 times the friction of one pushed along a side. That is the paper's anisotropy.
TEST_CASE("two tangents make a square of the friction disc") {
  BaraffProblem problem = block(1.0, 0.0, 0.5);
  problem.b[1] = problem.b[2] = 20.0;
  const LcpSolution solution = solve(problem);
  REQUIRE(solution.status == SolveStatus::solved);
  CHECK(solution.z.tail(2).norm() == doctest::Approx(std::sqrt(2.0) * 0.5 * kG));
}

// Thin uniform rod at the angle θ, its lower end sliding towards the side it leans to: the response
// of the contact is (1 + 3 cos²θ − 3 μ sin θ cos θ)/m. At μ = 1.5 and 63.4° it is negative: no
// force is enough.
TEST_CASE("Painleve's rod has no force, and that is proved") {
  const double theta = 63.43 * std::acos(-1.0) / 180;
  const auto rod = [&](double mu) {
    const double c = std::cos(theta), s = std::sin(theta);
    return BaraffProblem{MatrixXd::Constant(1, 1, 1 + 3 * c * c - 3 * mu * s * c),
                         VectorXd::Constant(1, -kG),
                         {-1},
                         VectorXd::Zero(1)};
  };
  CHECK(solve(rod(1.2)).status == SolveStatus::solved);
  const LcpSolution none = solve(rod(1.5));
  REQUIRE(none.status == SolveStatus::no_solution);
  CHECK(std::isinf(ruled_out(baraff_lcp(rod(1.5)), none.certificate)));
}

// Contacts on bodies of more coordinates than rows: A is regular and Baraff's sets end.
TEST_CASE("contacts at rest with friction are solved row by row") {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  test::Worst residual;
  int switched = 0, lost = 0;
  for (int i = 0; i < 500; ++i) {
    const int contacts = 1 + static_cast<int>(random() % 5), n = 3 * contacts;
    MatrixXd J(n, n + 3);
    for (double& x : J.reshaped()) x = normal(random);
    BaraffProblem problem{J * J.transpose(), VectorXd(n), {}, VectorXd::Constant(n, 0.3)};
    for (double& x : problem.b) x = normal(random);
    for (int row = 0; row < n; ++row) problem.normal.push_back(row % 3 == 0 ? -1 : row - row % 3);
    const LcpSolution solution = solve(problem);
    switched += solution.switches > 0;
    lost += solution.status != SolveStatus::solved;
    if (solution.status == SolveStatus::solved) residual.see(solution.residuals.relative);
  }
  MESSAGE("left to Lemke ", switched, ", lost ", lost, " of 500; worst residual ",
          residual.value());
  CHECK(lost == 0);
  CHECK(switched < 50);
  CHECK(residual.value() < 1e-11);
}

// Twelve rows of rank six, so the forces are not unique; that nothing moves, and the weight, are.
TEST_CASE("a box on four corners with friction carries its weight") {
  const double mu = 0.4;
  MatrixXd N(12, 6);
  const double half = 0.5, height = 0.3;
  for (int i = 0; i < 4; ++i) {
    const Vector3d p(i % 2 == 0 ? half : -half, i < 2 ? half : -half, -height);
    const Vector3d axes[] = {Vector3d::UnitZ(), Vector3d::UnitX(), Vector3d::UnitY()};
    for (int k = 0; k < 3; ++k) {
      N.block<1, 3>(3 * i + k, 0) = p.cross(axes[k]).transpose();
      N.block<1, 3>(3 * i + k, 3) = axes[k].transpose();
    }
  }
  const double slope = 0.2;
  Eigen::Vector<double, 6> gravity;
  gravity << 0, 0, 0, kG * std::sin(slope), 0, -kG * std::cos(slope);
  BaraffProblem problem{N * N.transpose(), N * gravity, {}, VectorXd::Constant(12, mu)};
  for (int row = 0; row < 12; ++row) problem.normal.push_back(row % 3 == 0 ? -1 : row - row % 3);
  const LcpSolution solution = solve(problem);
  REQUIRE(solution.status == SolveStatus::solved);
  CHECK(solution.w.cwiseAbs().maxCoeff() < 1e-9);
  double weight = 0;
  for (int i = 0; i < 4; ++i) weight += solution.z[3 * i];
  CHECK(weight == doctest::Approx(kG * std::cos(slope)));
}

TEST_CASE("a friction row without its normal row is named") {
  BaraffProblem problem = block(1.0, 0.1, 0.5);
  problem.normal[2] = 1;
  CHECK_THROWS_WITH_AS(solve(problem),
                       "contact forces with static friction: row 2 names row 1, which is not a "
                       "normal row",
                       std::invalid_argument);
}

}  // namespace
}  // namespace pequod
