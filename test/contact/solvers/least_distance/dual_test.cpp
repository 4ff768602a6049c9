#include "contact/solvers/least_distance/dual.h"

#include <doctest/doctest.h>

#include <cstring>
#include <random>

#include "test/contact/solvers/random_contacts.h"
#include "test/contact/solvers/solve_once.h"

namespace pequod {
namespace {

using test::Contacts;

/// A unit cube of 1 kg with `n` contacts at its lower corners, in turn; it falls with 1 m/s.
Contacts cube_on_corners(int n) {
  Contacts result;
  result.M = Eigen::VectorXd{{1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0, 1.0, 1.0}}.asDiagonal();
  result.N.setZero(n, 6);
  for (int i = 0; i < n; ++i) {
    const double x = i % 2 == 0 ? -0.5 : 0.5, y = i % 4 < 2 ? -0.5 : 0.5;
    result.N.row(i) << y, -x, 0.0, 0.0, 0.0, 1.0;
  }
  result.v = Eigen::VectorXd::Unit(6, 5) * -1.0;
  result.c.setZero(n);
  result.J.resize(0, 6);
  return result;
}

TEST_CASE("a cube that lands flat stops whatever the number of its contacts") {
  for (const int n : {3, 4, 8, 64, 256}) {
    const LeastDistanceProblem problem = test::least_distance(cube_on_corners(n));
    const LeastDistanceSolution solution = test::solve_once(solve_dual, problem);
    INFO(n);
    REQUIRE(solution.status == SolveStatus::solved);
    CHECK(solution.y.norm() < 1e-15);
    CHECK(solution.f.sum() == doctest::Approx(1.0));  // N s, the momentum
    CHECK(solution.active.size() <= 3);               // three rows span a plane's contacts
  }
}

TEST_CASE("equal contacts break ties by the lowest row") {
  const LeastDistanceSolution solution =
      test::solve_once(solve_dual, test::least_distance(cube_on_corners(64)));
  CHECK(solution.active[0] == 0);
  for (const int row : solution.active) CHECK(row < 4);
}

TEST_CASE("a solve repeats bit for bit, in a fresh workspace and in a used one") {
  std::mt19937_64 random(5);
  LeastDistanceWorkspace workspace;
  LeastDistanceSolution used;
  for (int i = 0; i < 200; ++i) {
    const LeastDistanceProblem problem = test::least_distance(test::random_contacts(random));
    const LeastDistanceSolution fresh = test::solve_once(solve_dual, problem);
    solve_dual(problem, {}, {}, workspace, used);
    REQUIRE(fresh.y.size() == used.y.size());
    CHECK(std::memcmp(fresh.y.data(), used.y.data(), sizeof(double) * fresh.y.size()) == 0);
    CHECK(std::memcmp(fresh.f.data(), used.f.data(), sizeof(double) * fresh.f.size()) == 0);
    CHECK(fresh.active == used.active);
  }
}

TEST_CASE("started from its own set, a problem needs no pivot") {
  std::mt19937_64 random(6);
  double worst = 0;
  int pivots = 0, problems = 0;
  for (int i = 0; i < 1000; ++i) {
    const LeastDistanceProblem problem = test::least_distance(test::random_contacts(random));
    const LeastDistanceSolution cold = test::solve_once(solve_dual, problem);
    if (cold.status != SolveStatus::solved) continue;
    const LeastDistanceSolution warm = test::solve_once(solve_dual, problem, {}, cold.active);
    REQUIRE(warm.status == SolveStatus::solved);
    worst = std::max(worst, (warm.y - cold.y).norm() / scale(problem));
    pivots += warm.pivots;
    ++problems;
  }
  INFO("worst ", worst, " pivots ", pivots, " of ", problems);
  CHECK(worst < 1e-11);
  CHECK(pivots < problems / 100);  // rounding may drop a multiplier that is zero
}

TEST_CASE("any warm start leads to the same velocity") {
  std::mt19937_64 random(8);
  double worst = 0;
  for (int i = 0; i < 1000; ++i) {
    const LeastDistanceProblem problem = test::least_distance(test::random_contacts(random));
    std::vector<int> guess;
    for (int row = 0; row < problem.G.cols(); ++row)
      if (random() % 3 == 0) guess.push_back(row);
    const LeastDistanceSolution cold = test::solve_once(solve_dual, problem);
    const LeastDistanceSolution warm = test::solve_once(solve_dual, problem, {}, guess);
    REQUIRE(warm.status == cold.status);
    if (cold.status == SolveStatus::solved)
      worst = std::max(worst, (warm.y - cold.y).norm() / scale(problem));
  }
  INFO("worst ", worst);
  CHECK(worst < 1e-11);
}

TEST_CASE("a warm start that names no row is refused") {
  const LeastDistanceProblem problem = test::least_distance(cube_on_corners(4));
  const std::vector<int> start = {4};
  CHECK_THROWS_WITH_AS(static_cast<void>(test::solve_once(solve_dual, problem, {}, start)),
                       "least-distance problem: the warm start names row 4 of 4",
                       std::invalid_argument);
}

// g₂ = −g₁ but for 1e-12, as rounding leaves the normals of a foot in a crease that does not slip.
TEST_CASE("opposed rows that meet at zero up to rounding are no contradiction") {
  LeastDistanceProblem problem;
  problem.y0 = Eigen::Vector2d(-1.0, -1.0);
  problem.G.resize(2, 2);
  problem.G << 1.0, -1.0, 0.0, 1e-12;
  problem.c = Eigen::Vector2d::Zero();
  problem.E.resize(2, 0);
  problem.e.resize(0);
  const LeastDistanceSolution solution = test::solve_once(solve_dual, problem);
  REQUIRE(solution.status == SolveStatus::solved);
  CHECK((solution.y - Eigen::Vector2d(0.0, -1.0)).norm() < 1e-11);
}

TEST_CASE("the limit of pivots is a failure with a reason") {
  LeastDistanceOptions options;
  options.max_pivots = 1;
  const LeastDistanceSolution solution =
      test::solve_once(solve_dual, test::least_distance(cube_on_corners(4)), options);
  CHECK(solution.status == SolveStatus::failed);
  CHECK(solution.reason == "the limit of pivots is reached");
}

TEST_CASE("every refusal of a pinched body comes with a proof") {
  std::mt19937_64 random(9);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    const LeastDistanceProblem problem = test::least_distance(test::random_contacts(random));
    const LeastDistanceSolution solution = test::solve_once(solve_dual, problem);
    if (solution.status != SolveStatus::no_solution) continue;
    ++refused;
    const double size = problem.c.cwiseAbs().dot(solution.f);
    const double left = (problem.G * solution.f + problem.E * solution.fe).norm();
    CHECK(solution.f.minCoeff() >= 0.0);
    CHECK(problem.c.dot(solution.f) + problem.e.dot(solution.fe) > 1e-6 * size);
    CHECK(left < 1e-8 * (problem.G.colwise().norm() * solution.f).value());
  }
  CHECK(refused > 100);
}

}  // namespace
}  // namespace pequod
