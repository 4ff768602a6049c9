#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <random>

#include "contact/solvers/dual.h"
#include "contact/solvers/ppm.h"

// Eigen and std::vector both end in malloc, so counting there misses nothing. glibc keeps the
// real one under this name.
extern "C" void* __libc_malloc(std::size_t size);  // NOLINT: the name is glibc's

namespace {
std::atomic<long> allocations = 0;  // a counter is the one thing a hook cannot be handed
}

extern "C" void* malloc(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}

namespace pequod {
namespace {

LeastDistanceProblem with_room_for(int m, int k, int n) {
  LeastDistanceProblem problem;
  problem.y0.resize(m);
  problem.E.resize(m, k);
  problem.e.resize(k);
  problem.G.resize(m, n);
  problem.c.resize(n);
  return problem;
}

void fill(std::mt19937& random, LeastDistanceProblem& problem) {
  std::normal_distribution<double> normal;
  for (Eigen::MatrixXd* A : {&problem.E, &problem.G})
    for (double& x : A->reshaped()) x = normal(random);
  for (double& x : problem.y0) x = normal(random);
  problem.e.setZero();
  problem.c.setZero();
  problem.k = static_cast<int>(random() % (problem.E.cols() + 1));
  problem.n = static_cast<int>(random() % (problem.G.cols() + 1));
}

void check_no_allocation(
    decltype(static_cast<void (*)(const LeastDistanceProblem&, const LeastDistanceOptions&,
                                  std::span<const int>, LeastDistanceWorkspace&,
                                  LeastDistanceSolution&)>(solve_dual)) solve) {
  std::mt19937 random(2);
  LeastDistanceProblem problem = with_room_for(18, 4, 24);
  LeastDistanceWorkspace workspace;
  LeastDistanceSolution solution;
  fill(random, problem);
  problem.k = problem.n = -1;  // the largest size first
  solve(problem, {}, {}, workspace, solution);
  long during = 0;
  for (int i = 0; i < 1000; ++i) {
    fill(random, problem);
    const long before = allocations;
    solve(problem, {}, {}, workspace, solution);
    solve(problem, {}, solution.active, workspace, solution);
    during += allocations - before;
  }
  CHECK(during == 0);
}

TEST_CASE("after the first solve of a size the dual method allocates nothing") {
  const long before = allocations;
  const Eigen::VectorXd x(10);
  CHECK(allocations.load() > before);  // the counter counts
  check_no_allocation(solve_dual);
}

TEST_CASE("after the first solve of a size principal pivoting allocates nothing") {
  check_no_allocation(solve_ppm);
}

}  // namespace
}  // namespace pequod
