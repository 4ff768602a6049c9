#include "contact/solvers/friction/sparse/sparse_friction.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <random>
#include <stdexcept>
#include <string>

#include "contact/solvers/registry/friction_solvers.h"
#include "test/contact/solvers/random_friction.h"
#include "test/contact/solvers/sphere_packing.h"

namespace pequod {
namespace {

SparseFrictionProblem sparse(const FrictionProblem& dense) {
  SparseFrictionProblem problem;
  problem.dimension = dense.dimension;
  problem.W = dense.W.sparseView();
  problem.W.makeCompressed();
  problem.q = dense.q;
  problem.mu = dense.mu;
  problem.mu_rolling = dense.mu_rolling;
  problem.associated = dense.associated;
  problem.scale = dense.scale;
  return problem;
}

// The same data and the same measure: a sparse solver is judged by the dense residual.
TEST_CASE("a sparse solution of feet, boxes and wedges is one of the dense problem") {
  std::mt19937_64 random(1);
  int solved = 0;
  FrictionWorkspace workspace;  // one for all structures
  constexpr int kProblems = 300;
  for (int i = 0; i < kProblems; ++i) {
    const test::FrictionFamily family = test::kFrictionFamilies[i % 2 == 0 ? 0 : i % 4];
    const FrictionProblem dense = test::random_friction(family, random, 0.5).problem;
    FrictionSolution solution;
    solve_sparse_newton(sparse(dense), {}, {}, workspace, solution);
    if (solution.status != SolveStatus::solved) continue;
    ++solved;
    const FrictionResiduals residuals = solution.residuals;
    measure(dense, solution);
    CHECK(solution.residuals.scaled <= 1e-8);
    CHECK(solution.residuals.scaled == doctest::Approx(residuals.scaled).epsilon(1e-3));
  }
  CHECK(solved >= 0.97 * kProblems);  // without restarts a few stay unsolved, and say so
}

TEST_CASE("methods on dense matrices find the velocities of sparse problems, also convex ones") {
  std::mt19937_64 random(2);
  FrictionWorkspace workspace;
  FrictionSolution expected;
  FrictionOptions options;
  options.max_iterations = 20000;
  for (int i = 0; i < 20; ++i) {
    FrictionProblem dense = test::random_friction(test::FrictionFamily::quad, random, 0.5).problem;
    dense.associated = true;
    find_friction_solver("admm")->solve(dense, options, {}, workspace, expected);
    FrictionSolution solution;
    find_row(sparse_friction_solvers(), "admm")
        ->solve(sparse(dense), options, {}, workspace, solution);
    REQUIRE(solution.status == SolveStatus::solved);
    CHECK(solution.r == expected.r);
  }
}

TEST_CASE("a sparse problem is refused by methods on dense matrices from 2001 contacts on") {
  SparseFrictionProblem problem;
  problem.W.resize(6003, 6003);
  problem.W.setIdentity();
  problem.W.makeCompressed();
  problem.q.setZero(6003);
  problem.mu.setZero(2001);
  FrictionWorkspace workspace;
  FrictionSolution solution;
  CHECK_THROWS_WITH_AS(
      find_row(sparse_friction_solvers(), "nsgs")->solve(problem, {}, {}, workspace, solution),
      "friction problem: W has 6003 rows, the method takes 6000", std::invalid_argument);
}

TEST_CASE("3000 contacts of spheres in a box are solved to 1e-8") {
  for (const double speed : {0.0, 0.3}) {
    std::mt19937_64 random(1);
    const SparseFrictionProblem problem = test::sphere_packing(11, 0.7, speed, 0.3, random);
    CAPTURE(speed);
    CHECK(problem.mu.size() > 2900);
    FrictionWorkspace workspace;
    FrictionSolution solution;
    solve_sparse_newton(problem, {}, {}, workspace, solution);
    CHECK(solution.status == SolveStatus::solved);
    CHECK(solution.residuals.scaled <= 1e-8);
    CHECK(solution.residuals.natural_map <= 1e-8);
    CHECK(solution.residuals.energy_change < 0);
    std::printf("%d contacts, %.1f m/s: %s, residual %.1e, natural map %.1e\n",
                static_cast<int>(problem.mu.size()), speed, std::string(solution.method).c_str(),
                solution.residuals.scaled, solution.residuals.natural_map);
  }
}

TEST_CASE("a sparse method that cannot serve a law says so") {
  std::mt19937_64 random(3);
  SparseFrictionProblem problem =
      sparse(test::random_friction(test::FrictionFamily::box, random).problem);
  problem.associated = true;
  FrictionWorkspace workspace;
  FrictionSolution solution;
  solve_sparse_newton(problem, {}, {}, workspace, solution);
  CHECK(solution.reason == "its solve of one contact knows no associated law");
  CHECK(find_row(sparse_friction_solvers(), "coulomb") != nullptr);
  CHECK(find_row(sparse_friction_solvers(), "magic") == nullptr);
}

}  // namespace
}  // namespace pequod
