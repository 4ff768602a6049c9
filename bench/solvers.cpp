// Least-distance solvers: 18 coordinates with four feet (the budget is 2 µs), and 200 contacts.
#include <benchmark/benchmark.h>

#include <random>

#include "contact/solvers/registry/least_distance_solvers.h"

namespace {

using namespace pequod;

Eigen::MatrixXd normal(std::mt19937& random, Eigen::Index rows, Eigen::Index columns) {
  std::normal_distribution<double> distribution;
  Eigen::MatrixXd result(rows, columns);
  for (double& x : result.reshaped()) x = distribution(random);
  return result;
}

/// A floating base on four legs of three joints that lands on all feet.
LeastDistanceProblem quadruped() {
  std::mt19937 random(1);
  LeastDistanceProblem problem;
  problem.E.resize(18, 0);
  problem.G.setZero(18, 4);
  problem.G.topRows(6) = normal(random, 6, 4);
  for (int foot = 0; foot < 4; ++foot)
    problem.G.block<3, 1>(6 + 3 * foot, foot) = normal(random, 3, 1);
  problem.c.setZero(4);
  problem.y0 = -problem.G.rowwise().sum() + 0.1 * normal(random, 18, 1);
  return problem;
}

/// A box of 1 kg that lands tilted on `n` contacts spread over its lower face.
LeastDistanceProblem box(int n) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> side(-0.5, 0.5);
  LeastDistanceProblem problem;
  const double gyration = std::sqrt(1.0 / 6.0);
  problem.E.resize(6, 0);
  problem.G.setZero(6, n);
  for (int i = 0; i < n; ++i) {
    const double x = side(random), y = side(random);
    problem.G.col(i) << y / gyration, -x / gyration, 0.0, 0.0, 0.0, 1.0;
  }
  problem.c.setZero(n);
  problem.y0 = Eigen::VectorXd{{0.02, -0.03, 0.0, 0.0, 0.0, -1.0}};
  return problem;
}

void solve(benchmark::State& state, std::string_view name, const LeastDistanceProblem& problem,
           bool warm) {
  const auto solver = find_least_distance_solver(name)->solve;
  LeastDistanceWorkspace workspace;
  LeastDistanceSolution solution;
  solver(problem, {}, {}, workspace, solution);
  const std::vector<int> start = warm ? solution.active : std::vector<int>{};
  for (auto _ : state) {
    solver(problem, {}, start, workspace, solution);
    benchmark::DoNotOptimize(solution.y.data());
  }
  state.counters["pivots"] = solution.pivots;
  state.counters["active"] = static_cast<double>(solution.active.size());
}

BENCHMARK_CAPTURE(solve, dual_quadruped_cold, "dual", quadruped(), false);
BENCHMARK_CAPTURE(solve, dual_quadruped_warm, "dual", quadruped(), true);
BENCHMARK_CAPTURE(solve, ppm_quadruped_cold, "ppm", quadruped(), false);
BENCHMARK_CAPTURE(solve, ppm_quadruped_warm, "ppm", quadruped(), true);
BENCHMARK_CAPTURE(solve, lemke_quadruped, "lemke", quadruped(), false);
BENCHMARK_CAPTURE(solve, dual_box_200, "dual", box(200), false);
BENCHMARK_CAPTURE(solve, dual_box_200_warm, "dual", box(200), true);
BENCHMARK_CAPTURE(solve, ppm_box_200, "ppm", box(200), false);
BENCHMARK_CAPTURE(solve, lemke_box_200, "lemke", box(200), false);

}  // namespace

BENCHMARK_MAIN();
