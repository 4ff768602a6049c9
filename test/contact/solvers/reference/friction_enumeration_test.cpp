#include "contact/solvers/reference/friction_enumeration.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>

#include "contact/solvers/friction/dense/coulomb_chain.h"

namespace pequod {
namespace {

/// Some bodies of three coordinates each, with contacts between neighbours and the ground.
FrictionProblem random_planar(std::mt19937_64& random, int contacts) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> even;
  const int bodies = 1 + static_cast<int>(random() % 3);
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(2 * contacts, 3 * bodies);
  for (int i = 0; i < contacts; ++i) {
    const int body = static_cast<int>(random() % bodies);
    const double angle = 0.3 * normal(random);
    const Eigen::Matrix2d R{{-std::sin(angle), std::cos(angle)},
                            {std::cos(angle), std::sin(angle)}};
    for (const int sign : {1, -1}) {
      const int at = sign > 0 ? body : body - 1;
      if (at < 0) continue;
      const Eigen::Vector2d p(normal(random), -0.5 * sign);
      J.block<2, 2>(2 * i, 3 * at) = sign * R;
      J.block<2, 1>(2 * i, 3 * at + 2) = sign * R * Eigen::Vector2d(-p.y(), p.x());
    }
  }
  Eigen::VectorXd v(3 * bodies);
  for (double& x : v) x = normal(random);
  FrictionProblem problem;
  problem.dimension = 2;
  problem.W = J * J.transpose();
  problem.q = J * v;
  problem.scale = v.norm();
  problem.mu.resize(contacts);
  for (double& mu : problem.mu) mu = even(random) < 0.1 ? 0 : 2 * even(random);
  return problem;
}

// Two methods that share nothing: the velocity that the chain finds must be among all there are.
void compare(int problems, int most_contacts, unsigned seed) {
  std::mt19937_64 random(seed);
  FrictionWorkspace workspace;
  FrictionSolution chain;
  int several = 0, regular = 0;
  double worst = 0;
  for (int k = 0; k < problems; ++k) {
    const FrictionProblem problem = random_planar(random, 1 + k % most_contacts);
    FrictionOptions options;
    options.choice = FrictionOptions::Choice::first_found;
    solve_coulomb(problem, options, {}, workspace, chain);
    REQUIRE(chain.exact);
    const std::vector<FrictionSolution> all = enumerate_friction(problem);
    REQUIRE(!all.empty());
    several += all.size() > 1;
    double nearest = std::numeric_limits<double>::infinity();
    for (const FrictionSolution& solution : all) {
      nearest = std::min(nearest, (solution.u - chain.u).norm() / problem.scale);
      CHECK(solution.residuals.energy_change <= 1e-12 * problem.scale * problem.scale);
    }
    // Redundant contacts can have a continuum of velocities within one mode, of which the list has
    // one; without them a mode has one velocity.
    const double least = problem.W.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff();
    if (least <= 1e-3) continue;
    ++regular;
    CHECK(nearest <= 1e-8);
    worst = std::max(worst, nearest);
  }
  std::printf("%d planar problems, %d with several velocities, %d with regular W: off by ≤ %.1e\n",
              problems, several, regular, worst);
}

TEST_CASE("the chain's velocity is among all solutions of planar problems") { compare(200, 4, 1); }

TEST_SUITE("long") {
  TEST_CASE("planar problems of up to seven contacts") { compare(700, 7, 2); }
}

// A rod in a slot with μ = 2 > 1: it may jam or slide out, and both are found.
TEST_CASE("a wedge with much friction rests or moves") {
  std::mt19937_64 random(3);
  int several = 0;
  for (int k = 0; k < 300 && several == 0; ++k) {
    FrictionProblem problem = random_planar(random, 2);
    problem.mu.setConstant(5);
    several += enumerate_friction(problem).size() > 1;
  }
  CHECK(several == 1);
}

TEST_CASE("walls that close have no consistent modes") {
  FrictionProblem problem;
  problem.dimension = 2;
  const Eigen::MatrixXd J{{1, 0}, {0, 1}, {-1, 0}, {0, 1}};
  problem.W = J * J.transpose();
  problem.q = Eigen::VectorXd{{-0.5, 0, -0.5, 0}};
  problem.mu = Eigen::VectorXd::Constant(2, 0.5);
  FrictionWorkspace workspace;
  FrictionSolution solution;
  solve_by_enumeration(problem, {}, {}, workspace, solution);
  CHECK(solution.status == SolveStatus::no_solution);
  CHECK(solution.reason == "no combination of modes is consistent");
  problem.associated = true;
  solve_by_enumeration(problem, {}, {}, workspace, solution);
  CHECK(solution.status == SolveStatus::failed);
  CHECK(solution.reason == "enumeration takes Coulomb's law only");
  CHECK_THROWS_WITH(static_cast<void>(enumerate_friction(problem)),
                    "enumeration takes Coulomb's law only");
}

}  // namespace
}  // namespace pequod
