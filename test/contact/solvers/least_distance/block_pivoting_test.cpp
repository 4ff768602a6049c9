#include "contact/solvers/least_distance/block_pivoting.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>

#include "contact/solvers/least_distance/active_set_steps.h"
#include "contact/solvers/least_distance/dual.h"
#include "test/contact/solvers/solve_once.h"
#include "test/contact/solvers/sphere_rows.h"

namespace pequod {
namespace {

using test::random_vector;

LeastDistanceProblem pile(int edge, double ratio, std::mt19937_64& random) {
  LeastDistanceProblem problem;
  problem.G = test::sphere_rows(edge, 0.7, ratio, random);
  problem.E.resize(problem.G.rows(), 0);
  problem.e.resize(0);
  // Balls that fall and fly about, contacts at the acceleration level of balls that turn.
  problem.y0 = 0.3 * random_vector(problem.G.rows(), random);
  for (Eigen::Index i = 2; i < problem.y0.size(); i += 3) problem.y0[i] -= 1.0;
  problem.c = 0.1 * random_vector(problem.G.cols(), random);
  return problem;
}

// The method that moves single rows, on an orthogonal factor, whatever their number.
void by_single_rows(const LeastDistanceProblem& problem, const LeastDistanceOptions& options,
                    std::span<const int> warm_start, LeastDistanceWorkspace& workspace,
                    LeastDistanceSolution& solution) {
  solve_by(take_dual_steps, problem, options, warm_start, workspace, solution);
}

TEST_CASE("block pivoting finds the nearest point that the dual active set finds") {
  std::mt19937_64 random(8);
  BlockPivotingWorkspace workspace;
  int solved = 0, all = 0, sets = 0;
  double worst = 0.0;
  for (int trial = 0; trial < 60; ++trial) {
    const LeastDistanceProblem problem = pile(3 + trial % 4, trial % 2 == 0 ? 1.0 : 100.0, random);
    if (problem.inequalities() < kManyRows || problem.y0.size() < kManyRows) continue;
    const LeastDistanceSolution reference = test::solve_once(by_single_rows, problem);
    REQUIRE(reference.status == SolveStatus::solved);
    for (const bool warm : {false, true}) {
      LeastDistanceSolution solution;
      std::vector<int> start;
      if (warm) start.assign(reference.active.begin(), reference.active.end());
      ++all;
      if (!solve_by_blocks(problem, {}, start, workspace, solution)) continue;
      ++solved;
      sets += solution.pivots;
      CHECK(solution.status == SolveStatus::solved);
      worst = std::max(worst, (solution.y - reference.y).norm() / scale(problem));
      const LeastDistanceResiduals& r = solution.residuals;
      CHECK(std::max({r.infeasibility, r.complementarity, r.stationarity, r.dual_infeasibility}) <=
            1e-12);
      if (warm) CHECK(solution.pivots <= 2);  // ties at rounding
    }
  }
  std::printf("block pivoting: %d of %d, worst %.1e, mean pivots %.0f\n", solved, all, worst,
              static_cast<double>(sets) / solved);
  CHECK(solved >= 0.95 * all);
  CHECK(worst <= 1e-11);
}

TEST_CASE("the dual method takes over where block pivoting has no set of independent rows") {
  std::mt19937_64 random(9);
  LeastDistanceProblem problem = pile(4, 1.0, random);
  // Every row twice, and the second time it asks for more.
  const Eigen::Index n = problem.G.cols();
  problem.G.conservativeResize(Eigen::NoChange, 2 * n);
  problem.c.conservativeResize(2 * n);
  problem.G.rightCols(n) = problem.G.leftCols(n);
  problem.c.tail(n) = problem.c.head(n).array() + 0.1;
  const LeastDistanceSolution reference = test::solve_once(by_single_rows, problem);
  const LeastDistanceSolution solution = test::solve_once(solve_dual, problem);
  REQUIRE(solution.status == SolveStatus::solved);
  CHECK((solution.y - reference.y).norm() <= 1e-11 * scale(problem));
}

TEST_CASE("block pivoting leaves few rows, equalities and warm starts without a row to others") {
  std::mt19937_64 random(10);
  BlockPivotingWorkspace workspace;
  LeastDistanceSolution solution;
  LeastDistanceProblem problem = pile(4, 1.0, random);
  const std::vector<int> none = {static_cast<int>(problem.inequalities())};
  CHECK_FALSE(solve_by_blocks(problem, {}, none, workspace, solution));
  problem.n = kManyRows - 1;
  CHECK_FALSE(solve_by_blocks(problem, {}, {}, workspace, solution));
  problem.n = -1;
  problem.E = problem.G.leftCols(1);
  problem.e.setZero(1);
  CHECK_FALSE(solve_by_blocks(problem, {}, {}, workspace, solution));
}

}  // namespace
}  // namespace pequod
