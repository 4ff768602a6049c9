// Complementarity solvers: how their cost grows with the contacts, and beside one dense solve.
//
//   bench_lcp --benchmark_filter=contacts      cost in n at fixed coordinates; the fit O(N) and its
//                                              deviation are printed behind each series
//   bench_lcp --benchmark_filter='dense|dantzig'
#include <benchmark/benchmark.h>

#include <random>
#include <string>

#include "contact/solvers/registry/lcp_solvers.h"
#include "contact/solvers/registry/least_distance_solvers.h"

namespace {

using namespace pequod;
using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

MatrixXd normal(std::mt19937& random, Index rows, Index columns) {
  std::normal_distribution<double> distribution;
  MatrixXd result(rows, columns);
  for (double& x : result.reshaped()) x = distribution(random);
  return result;
}

/// A stack of cubes of 1 kg, six coordinates each, with n contacts spread over their lower faces.
/// All fall at 1 m/s, tilting.
LeastDistanceProblem stack(int cubes, int n) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> side(-0.5, 0.5);
  const double gyration = std::sqrt(1.0 / 6.0);
  LeastDistanceProblem problem;
  problem.E.resize(6 * cubes, 0);
  problem.e.resize(0);
  problem.G.setZero(6 * cubes, n);
  problem.c.setZero(n);
  problem.y0.setZero(6 * cubes);
  for (int i = 0; i < n; ++i) {
    const double x = side(random), y = side(random);
    const Eigen::Vector<double, 6> row{y / gyration, -x / gyration, 0, 0, 0, 1};
    const int cube = i % cubes;
    problem.G.block<6, 1>(6 * cube, i) = row;
    if (cube > 0) problem.G.block<6, 1>(6 * (cube - 1), i) = -row;
  }
  for (int cube = 0; cube < cubes; ++cube)
    problem.y0.segment<6>(6 * cube) << 0.02 * (cube + 1), -0.03, 0, 0, 0, -1.0;
  return problem;
}

/// The solver must have solved the problem: a failure is quick, too.
void expect(benchmark::State& state, bool solved) {
  if (!solved) state.SkipWithError("not solved");
}

void contacts(benchmark::State& state, std::string_view name, int cubes) {
  const LeastDistanceProblem problem = stack(cubes, static_cast<int>(state.range(0)));
  const auto solver = find_least_distance_solver(name)->solve;
  LeastDistanceWorkspace workspace;
  LeastDistanceSolution solution;
  for (auto _ : state) {
    solver(problem, {}, {}, workspace, solution);
    benchmark::DoNotOptimize(solution.y.data());
  }
  expect(state, solution.status == SolveStatus::solved);
  state.counters["pivots"] = solution.pivots;
  state.SetComplexityN(state.range(0));
}

#define CONTACTS(name, cubes)                                       \
  BENCHMARK_CAPTURE(contacts, name##_##cubes##_cubes, #name, cubes) \
      ->RangeMultiplier(2)                                          \
      ->Range(4, 2048)                                              \
      ->Complexity(benchmark::oN)
CONTACTS(dual, 1);
CONTACTS(dual, 3);
CONTACTS(ppm, 1);
CONTACTS(ppm, 3);
BENCHMARK_CAPTURE(contacts, dual_200, "dual", 3)->Arg(200);
BENCHMARK_CAPTURE(contacts, lemke_200, "lemke", 3)->Arg(200);

/// Baraff's test: A = B Bᵀ, B n×k, with q in its range.
LcpProblem random_lcp(Index n, Index k) {
  std::mt19937 random(1);
  const MatrixXd B = normal(random, n, k);
  LcpProblem problem{B * B.transpose(), {}};
  problem.q = problem.M * normal(random, n, 1);
  return problem;
}

void lcp(benchmark::State& state, std::string_view name, Index part) {
  const LcpProblem problem = random_lcp(state.range(0), state.range(0) / part);
  const LcpSolver* solver = find_lcp_solver(name);
  LcpWorkspace workspace;
  LcpSolution solution;
  for (auto _ : state) {
    solver->solve(problem, {}, {}, workspace, solution);
    benchmark::DoNotOptimize(solution.z.data());
  }
  expect(state, solution.status == SolveStatus::solved);
  state.counters["pivots"] = solution.pivots;
}

template <class Factor>
void dense(benchmark::State& state) {
  LcpProblem problem = random_lcp(state.range(0), state.range(0));
  VectorXd x;
  for (auto _ : state) {
    const Factor factor(problem.M);
    x = factor.solve(problem.q);
    benchmark::DoNotOptimize(x.data());
  }
}

#define SIZES Arg(10)->Arg(20)->Arg(50)->Arg(100)->Arg(200)->Arg(400)
BENCHMARK_TEMPLATE(dense, Eigen::LLT<MatrixXd>)->SIZES;
BENCHMARK_TEMPLATE(dense, Eigen::LDLT<MatrixXd>)->SIZES;
BENCHMARK_TEMPLATE(dense, Eigen::PartialPivLU<MatrixXd>)->SIZES;
BENCHMARK_CAPTURE(lcp, dantzig, "dantzig", 1)->SIZES;
BENCHMARK_CAPTURE(lcp, dantzig_half_rank, "dantzig", 2)->SIZES;
BENCHMARK_CAPTURE(lcp, dual_half_rank, "dual", 2)->SIZES;
BENCHMARK_CAPTURE(lcp, lemke, "lemke", 1)->Arg(10)->Arg(100);
BENCHMARK_CAPTURE(lcp, newton, "semismooth-newton", 1)->Arg(10)->Arg(100);

}  // namespace

BENCHMARK_MAIN();
