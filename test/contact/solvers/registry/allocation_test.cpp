#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "contact/solvers/complementarity/baraff.h"
#include "contact/solvers/friction/dissipation/maximum_dissipation.h"
#include "contact/solvers/least_distance/dual.h"
#include "contact/solvers/reference/ppm.h"
#include "contact/solvers/registry/friction_solvers.h"
#include "contact/solvers/registry/lcp_solvers.h"
#include "test/contact/solvers/random_friction.h"
#include "test/contact/solvers/sphere_packing.h"
#include "test/support/allocations.h"

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

void check_no_allocation(LeastDistanceMethod* solve) {
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
    const long before = test::allocations();
    solve(problem, {}, {}, workspace, solution);
    solve(problem, {}, solution.active, workspace, solution);
    during += test::allocations() - before;
  }
  CHECK(during == 0);
}

TEST_CASE("after the first solve of a size the dual method allocates nothing") {
  const long before = test::allocations();
  const Eigen::VectorXd x(10);
  CHECK(test::allocations() > before);  // the counter counts
  check_no_allocation(solve_dual);
}

TEST_CASE("after the first solve of a size principal pivoting allocates nothing") {
  check_no_allocation(solve_ppm);
}

// A problem of the size once solved, then others of that size; Newton's method and the like too.
void check_no_allocation_of_lcp(std::string_view name, bool symmetric) {
  const LcpSolver& solver = *find_lcp_solver(name);
  const int n = name == "enumerate" ? 8 : 24;
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  LcpProblem problem{Eigen::MatrixXd(n, n), Eigen::VectorXd(n)};
  Eigen::MatrixXd A(n, n);
  LcpWorkspace workspace;
  LcpSolution solution;
  long during = 0;
  for (int i = 0; i < 50; ++i) {
    for (double& x : A.reshaped()) x = normal(random);
    problem.M = A * A.transpose();
    problem.M.diagonal().array() += 1.0;
    if (!symmetric) problem.M += A - A.transpose();
    for (double& x : problem.q) x = normal(random);
    const long before = test::allocations();
    solver.solve(problem, {}, {}, workspace, solution);
    solver.solve(problem, {}, solution.z, workspace, solution);
    if (i > 0) during += test::allocations() - before;
    CHECK(solution.status == SolveStatus::solved);
  }
  CHECK_MESSAGE(during == 0, name);
}

TEST_CASE("after the first solve of a size no complementarity solver allocates") {
  for (const LcpSolver& solver : lcp_solvers()) check_no_allocation_of_lcp(solver.name, true);
  for (const std::string_view name : {"auto", "lemke", "semismooth-newton"})
    check_no_allocation_of_lcp(name, false);
}

TEST_CASE("after the first solve of a size no solver of boxes allocates") {
  const int n = 16;
  std::mt19937 random(6);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd A(n, n);
  BoxProblem problem{Eigen::MatrixXd(n, n), Eigen::VectorXd(n), Eigen::VectorXd::Constant(n, -0.2),
                     Eigen::VectorXd::Constant(n, 0.3)};
  problem.lower.head(3).setConstant(-INFINITY);
  problem.upper.head(2).setConstant(INFINITY);
  for (const BoxSolver& solver : box_solvers()) {
    LcpWorkspace workspace;
    LcpSolution solution;
    long during = 0;
    for (int i = 0; i < 50; ++i) {
      for (double& x : A.reshaped()) x = normal(random);
      problem.M = A * A.transpose();
      problem.M.diagonal().array() += 1.0;
      for (double& x : problem.q) x = normal(random);
      const long before = test::allocations();
      solver.solve(problem, {}, {}, workspace, solution);
      if (i > 0) during += test::allocations() - before;
      CHECK(solution.status == SolveStatus::solved);
    }
    CHECK_MESSAGE(during == 0, solver.name);
  }
}

/// Boxes on four contacts, warm and cold.
template <class Solve>
long allocations_of(Solve solve) {
  std::mt19937_64 random(3);
  std::vector<FrictionProblem> problems;
  while (problems.size() < 300) {
    const FrictionProblem problem =
        test::random_friction(test::FrictionFamily::box, random, 0.5).problem;
    if (problem.mu.size() == 4) problems.push_back(problem);
  }
  // Every stage of a chain is met for the first time at some problem.
  for (const FrictionProblem& problem : problems) solve(problem);
  const long before = test::allocations();
  for (const FrictionProblem& problem : problems) solve(problem);
  return test::allocations() - before;
}

TEST_CASE("after the first solves of a size the friction solvers allocate nothing") {
  for (const FrictionSolver& solver : friction_solvers()) {
    CAPTURE(solver.name);
    // They refuse these problems; the first is inside QP 1 below, the second allocates and says so.
    if (solver.name == "interior-point" || solver.name == "enumerate") continue;
    FrictionWorkspace workspace;
    FrictionSolution solution;
    FrictionOptions options;
    options.accepted = 1;  // a reason is a string, and single methods fail now and then
    CHECK(allocations_of([&](const FrictionProblem& problem) {
            solver.solve(problem, options, {}, workspace, solution);
            const std::span<const double> r(solution.r.data(), solution.r.size());
            solver.solve(problem, options, r, workspace, solution);
          }) == 0);
  }
}

// How often both passes over packings of one structure with other velocities allocate.
std::pair<long, long> sparse_allocations(const SparseFrictionSolver& solver,
                                         SparseFrictionProblem problem, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<Eigen::VectorXd> velocities(6, problem.q);
  for (Eigen::VectorXd& q : velocities)
    for (double& x : q) x += 0.1 * normal(random);
  FrictionWorkspace workspace;
  FrictionSolution solution;
  FrictionOptions options;
  options.accepted = 1;  // a reason is a string
  const auto solve_all = [&] {
    long during = 0;
    for (const Eigen::VectorXd& q : velocities) {
      problem.q = q;
      const long before = test::allocations();
      solver.solve(problem, options, {}, workspace, solution);
      const std::span<const double> r(solution.r.data(), solution.r.size());
      solver.solve(problem, options, r, workspace, solution);
      during += test::allocations() - before;
    }
    return during;
  };
  const long first = solve_all();
  return {first, solve_all()};
}

TEST_CASE("after the first solves of a structure the default sparse solver allocates nothing") {
  std::mt19937_64 random(4);
  const SparseFrictionProblem packing = test::sphere_packing(4, 0.7, 0.3, 0.3, random);
  SparseFrictionProblem unsymmetric = packing;
  for (int column = 0; column < unsymmetric.W.outerSize(); ++column)
    for (Eigen::SparseMatrix<double>::InnerIterator it(unsymmetric.W, column); it; ++it)
      if (it.row() < column) it.valueRef() *= 1.01;
  for (const SparseFrictionProblem& problem : {packing, unsymmetric}) {
    const auto [first, second] =
        sparse_allocations(sparse_friction_solvers().front(), problem, random);
    CHECK(first > 0);
    CHECK(second == 0);
  }
}

TEST_CASE("after the first solves of a size QP 1 allocates nothing") {
  MaximumDissipationWorkspace workspace;
  MaximumDissipationSolution solution;
  MaximumDissipationOptions options;
  options.accepted = 1;
  CHECK(allocations_of([&](const FrictionProblem& problem) {
          solve_maximum_dissipation(problem, options, workspace, solution);
        }) == 0);
}

TEST_CASE("after the first solve of a size Baraff's method allocates nothing") {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd J(12, 18);
  BaraffProblem problem{
      Eigen::MatrixXd(12, 12), Eigen::VectorXd(12), {}, Eigen::VectorXd::Constant(12, 0.3)};
  for (int row = 0; row < 12; ++row) problem.normal.push_back(row % 3 == 0 ? -1 : row - row % 3);
  LcpWorkspace workspace;
  LcpSolution solution;
  long during = 0;
  for (int i = 0; i < 50; ++i) {
    for (double& x : J.reshaped()) x = normal(random);
    problem.A = J * J.transpose();
    for (double& x : problem.b) x = normal(random);
    const long before = test::allocations();
    solve_baraff(problem, {}, workspace, solution);
    if (i > 0) during += test::allocations() - before;
    CHECK(solution.switches == 0);
  }
  CHECK(during == 0);
}

}  // namespace
}  // namespace pequod
