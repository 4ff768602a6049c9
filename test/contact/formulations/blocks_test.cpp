// The formulations of Pfrommer's notes (2019) against exact implicit Coulomb friction.
#include "contact/formulations/blocks.h"

#include <doctest/doctest.h>

#include <random>

#include "contact/formulations/point_mass.h"
#include "contact/solvers/complementarity/lcp_auto.h"
#include "contact/solvers/reference/enumeration.h"
#include "contact/solvers/registry/lcp_solvers.h"

namespace pequod {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;

VectorXd solved(const LcpProblem& problem) {
  LcpWorkspace workspace;
  LcpSolution solution;
  solve_lcp_auto(problem, {}, {}, workspace, solution);
  REQUIRE(solution.status == SolveStatus::solved);
  return solution.z;
}

VectorXd solved(const MlcpProblem& problem) {
  LcpWorkspace workspace;
  LcpSolution solution;
  box_solvers().front().solve(as_box(problem), {}, {}, workspace, solution);
  REQUIRE(solution.status == SolveStatus::solved);
  return solution.z;
}

}  // namespace

// Rounding of numbers of size 10 through a few operations.
TEST_CASE("the traditional, mixed and two-way forms give Coulomb's speed") {
  std::mt19937_64 generator(7);
  std::uniform_real_distribution<double> any(-5.0, 5.0), positive(0.0, 3.0);
  for (int trial = 0; trial < 500; ++trial) {
    const SlidingBlock block{any(generator), any(generator), positive(generator)};
    const double truth = coulomb_speed(block, 1.0);
    CHECK(std::abs(traditional_speed(block, solved(traditional_block(block))) - truth) < 1e-13);
    CHECK(std::abs(solved(mixed_block(block))[0] - truth) < 1e-13);
    const Vector2d speed(std::max(block.speed, 0.0), std::max(-block.speed, 0.0));
    const VectorXd next = solved(two_way_block(speed, block.push, block.bound, 1.0));
    CHECK(std::abs(next[0] - next[1] - truth) < 1e-13);
    CHECK(next[0] * next[1] == 0.0);
  }
}

TEST_CASE("the direct form without a bound on the speed is proved infeasible") {
  LcpWorkspace workspace;
  LcpSolution solution;
  solve_lcp_auto(direct_block_that_fails({1.0, 0.5, 1.0}, 0.01), {}, {}, workspace, solution);
  CHECK(solution.status == SolveStatus::no_solution);
}

// Where the mass stays on the floor its friction is that of a block with the bound μ λc.
TEST_CASE("a point mass slides like a block with the bound that its weight gives") {
  std::mt19937_64 generator(8);
  std::uniform_real_distribution<double> any(-3.0, 3.0), positive(0.1, 2.0);
  for (int trial = 0; trial < 500; ++trial) {
    PointMass body{positive(generator), positive(generator), positive(generator)};
    body.velocity = {any(generator), any(generator)};
    body.push = {any(generator), any(generator)};
    const double normal = std::max(0.0, body.mass * (body.g - body.velocity.y()) - body.push.y());
    const SlidingBlock block{body.velocity.x(), body.push.x() / body.mass,
                             body.friction * normal / body.mass};
    const double truth = coulomb_speed(block, 1.0);
    const PointMassStep steps[] = {
        anitescu_step(solved(anitescu_point_mass(body))),
        belbute_peres_step(solved(as_mixed(belbute_peres_point_mass(body)))),
        eliminated_step(body, solved(eliminated_point_mass(body)))};
    for (const PointMassStep& step : steps) {
      // Rounding of velocities of size 10 over masses down to 0.1.
      CHECK(std::abs(step.velocity.x() - truth) < 1e-12);
      CHECK(std::abs(step.normal - normal) < 1e-12);
      CHECK(step.velocity.y() > -1e-12);
    }
  }
}

TEST_CASE("a small bias in q takes the sticking away: one solution, half the bias fast") {
  LcpProblem problem = traditional_block({0.0, 0.0, 1.0});
  problem.q[0] -= 0.1;
  const std::vector<VectorXd> all = all_lcp_solutions(problem);
  REQUIRE(all.size() == 1);
  CHECK((all.front() - Eigen::Vector3d(0.525, 0.475, 0.05)).norm() < 1e-14);
}

}  // namespace pequod
