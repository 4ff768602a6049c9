#include "contact/solvers/registry/friction_solvers.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>

#include "test/contact/solvers/random_friction.h"

namespace pequod {
namespace {

using test::FrictionCase;
using test::FrictionFamily;

constexpr std::array<std::string_view, 5> kConvexSolvers = {"interior-point", "coulomb", "admm",
                                                            "pgs", "semismooth-newton"};

struct FrictionTally {
  int solved = 0, compared = 0;
  int off = 0;       ///< velocities that differ by more than 1e-8
  double worst = 0;  ///< |v⁺ − v⁺'|_M / |v*|_M against the interior point method
  double bound = 0;  ///< the largest share of what the two residuals allow, see Answer
};

/// An answer in contact units and the length of its natural map e. By monotony, two of them obey
/// |Δv⁺|²_M ≤ (|e| + |e'|)(|Δρ| + |Δû|): velocities depend on residuals by their root, and the more
/// the farther forces are apart, which mass ratios and singular W let be 10³ times the motion.
struct Answer {
  Eigen::VectorXd rho, u, dv;
  double e = 0;
};

Answer answer_of(const FrictionCase& bodies, const FrictionSolution& solution) {
  constexpr double kRounding = 1e-15;  // of û, to the size of its terms
  Answer result;
  const Eigen::Index n = solution.units.size();
  result.rho = solution.r;
  result.u = solution.u;
  Eigen::VectorXd q = bodies.problem.q;
  for (Eigen::Index i = 0; i < n; ++i) {
    result.rho.segment<3>(3 * i) /= solution.units[i];
    result.u.segment<3>(3 * i) *= solution.units[i];
    q.segment<3>(3 * i) *= solution.units[i];
  }
  const double S = std::max({q.norm(), result.rho.norm(), result.u.norm(), bodies.problem.scale});
  result.e = (solution.residuals.scaled + kRounding) * S;
  result.dv = bodies.M.llt().solve(bodies.J.transpose() * solution.r);
  return result;
}

double allowed(const Answer& a, const Answer& b) {
  return std::sqrt((a.e + b.e) * ((a.rho - b.rho).norm() + (a.u - b.u).norm()));
}

/// Every convex solver on every problem; velocities are compared where both residuals are ≤ 1e-13:
/// first order methods end earlier on ill-conditioned stacks.
std::array<FrictionTally, kConvexSolvers.size()> sweep(FrictionFamily family, int problems,
                                                       unsigned seed) {
  std::mt19937_64 random(seed);
  FrictionWorkspace workspace;
  FrictionSolution solution;
  FrictionOptions options;
  options.tolerance = 1e-15;  // as far as rounding lets it
  std::array<FrictionTally, kConvexSolvers.size()> result;
  for (int i = 0; i < problems; ++i) {
    FrictionCase bodies = test::random_friction(family, random);
    bodies.problem.associated = true;
    Answer expected;
    for (std::size_t k = 0; k < kConvexSolvers.size(); ++k) {
      find_friction_solver(kConvexSolvers[k])
          ->solve(bodies.problem, options, {}, workspace, solution);
      result[k].solved += solution.status == SolveStatus::solved;
      if (!(solution.residuals.scaled <= 1e-13)) continue;
      const Answer answer = answer_of(bodies, solution);
      if (k == 0) expected = answer;
      if (expected.dv.size() == 0) continue;
      ++result[k].compared;
      const Eigen::VectorXd change = answer.dv - expected.dv;
      const double distance = std::sqrt(change.dot(bodies.M * change)) / bodies.problem.scale;
      if (distance > 1e-8)
        result[k].bound =
            std::max(result[k].bound, distance * bodies.problem.scale / allowed(answer, expected));
      result[k].off += distance > 1e-8;
      result[k].worst = std::max(result[k].worst, distance);
    }
  }
  return result;
}

/// The convex model has one velocity, so all must agree to 1e-8. Stacks of mass ratios to 10⁶ make
/// more than that of a residual of 1e-13 now and then; there 99 % must agree, and all to 1e-4.
void check_families(int problems, unsigned seed) {
  for (const FrictionFamily family : test::kFrictionFamilies) {
    const auto tallies = sweep(family, problems, seed++);
    for (std::size_t k = 0; k < tallies.size(); ++k) {
      std::printf("%-6s %-18s %d of %d solved, %d compared, %d off, by ≤ %.1e (%.2f of allowed)\n",
                  std::string(test::name(family)).c_str(), std::string(kConvexSolvers[k]).c_str(),
                  tallies[k].solved, problems, tallies[k].compared, tallies[k].off,
                  tallies[k].worst, tallies[k].bound);
      const bool stack = family == FrictionFamily::stack;
      CHECK(tallies[k].off <= (stack ? 0.01 * tallies[k].compared : 0));
      CHECK(tallies[k].worst <= (stack ? 1e-4 : 1e-8));
      CHECK(tallies[k].bound <= 1.0);  // no solver is less exact than its residual says
    }
    CHECK(tallies[0].solved >= 0.98 * problems);
    CHECK(tallies[1].solved >= 0.998 * problems);
  }
}

TEST_CASE("all solvers of the associated law find the same velocities") { check_families(150, 1); }

TEST_SUITE("long") {
  TEST_CASE("all solvers of the associated law agree on 10 000 problems of each family") {
    check_families(10000, 11);
  }
}

TEST_CASE("solvers are found by name, the default first") {
  CHECK(friction_solvers().front().name == "coulomb");
  for (const FrictionSolver& solver : friction_solvers())
    CHECK(find_friction_solver(solver.name) != nullptr);
  CHECK(find_friction_solver("magic") == nullptr);
  CHECK(sparse_friction_solvers().front().name == "semismooth-newton");
}

}  // namespace
}  // namespace pequod
