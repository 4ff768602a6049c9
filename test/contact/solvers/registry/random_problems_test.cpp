#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "contact/solvers/registry/least_distance_solvers.h"
#include "test/contact/solvers/random_contacts.h"
#include "test/contact/solvers/reference_solver.h"

namespace pequod {
namespace {

using test::Contacts;
using test::Reference;

/// What one solver did in a sweep.
struct Tally {
  std::string name;
  int problems = 0, solved = 0, refused = 0;
  int lost = 0;     ///< wrong verdict on a problem that has a solution
  int claimed = 0;  ///< a solution to a problem that has none
  int off = 0;      ///< velocity outside the tolerance
  int switches = 0, most_pivots = 0;
  long pivots = 0;
  double worst_y = 0, worst_v = 0, worst_v_heavy = 0;
  LeastDistanceResiduals worst{0, 0, 0, 0};
};

void keep_worst(const LeastDistanceResiduals& now, LeastDistanceResiduals& worst) {
  worst.infeasibility = std::max(worst.infeasibility, now.infeasibility);
  worst.complementarity = std::max(worst.complementarity, now.complementarity);
  worst.stationarity = std::max(worst.stationarity, now.stationarity);
  worst.dual_infeasibility = std::max(worst.dual_infeasibility, now.dual_infeasibility);
}

/// Largest error of a velocity, relative to the largest entry of v* and v⁺.
double velocity_error(const Contacts& contacts, const Reference& reference,
                      const Eigen::VectorXd& y) {
  const Eigen::VectorXd v = Eigen::LLT<Eigen::MatrixXd>(contacts.M).matrixU().solve(y);
  const double size = std::max(static_cast<double>(reference.v.cwiseAbs().maxCoeff()),
                               contacts.v.cwiseAbs().maxCoeff());
  return static_cast<double>((v.cast<long double>() - reference.v).cwiseAbs().maxCoeff()) / size;
}

void tally(const Contacts& contacts, const LeastDistanceProblem& problem,
           const Reference& reference, const LeastDistanceSolution& solution, double tolerance,
           Tally& result) {
  ++result.problems;
  result.pivots += solution.pivots;
  result.most_pivots = std::max(result.most_pivots, solution.pivots);
  result.switches += solution.switches;
  if (!reference.solved) {
    ++result.refused;
    result.claimed += solution.status == SolveStatus::solved;
    return;
  }
  if (solution.status != SolveStatus::solved) {
    ++result.lost;
    return;
  }
  ++result.solved;
  keep_worst(solution.residuals, result.worst);
  const long double distance = (solution.y.cast<long double>() - reference.L * reference.v).norm();
  result.worst_y = std::max(result.worst_y, static_cast<double>(distance) / scale(problem));
  const double error = velocity_error(contacts, reference, solution.y);
  // A light body carries the error of the whole, so heavy neighbours get ten times the tolerance.
  const bool heavy = contacts.mass_ratio > 1e3;
  double& worst = heavy ? result.worst_v_heavy : result.worst_v;
  worst = std::max(worst, error);
  result.off += !(error <= (heavy ? 10 : 1) * tolerance);
}

void print(const Tally& t) {
  std::printf(
      "%-5s %6d solved, %5d without solution; lost %d, claimed %d, off %d\n"
      "      |y - y_ref|/s <= %.1e, velocity <= %.1e (mass ratio > 1e3: %.1e)\n"
      "      residuals: feasibility %.1e, complementarity %.1e, stationarity %.1e, sign %.1e\n"
      "      pivots: mean %.2f, most %d; switches %d\n",
      t.name.c_str(), t.solved, t.refused, t.lost, t.claimed, t.off, t.worst_y, t.worst_v,
      t.worst_v_heavy, t.worst.infeasibility, t.worst.complementarity, t.worst.stationarity,
      t.worst.dual_infeasibility, static_cast<double>(t.pivots) / t.problems, t.most_pivots,
      t.switches);
}

/// Solves random problems by one solver and compares with extended precision.
Tally sweep(std::string_view name, int problems, unsigned seed, double tolerance) {
  const auto solve = find_least_distance_solver(name)->solve;
  std::mt19937_64 random(seed);
  LeastDistanceWorkspace workspace;
  LeastDistanceSolution solution;
  Tally result;
  result.name = name;
  for (int i = 0; i < problems; ++i) {
    const Contacts contacts = test::random_contacts(random);
    const LeastDistanceProblem problem = test::least_distance(contacts);
    const Reference reference = test::solve_in_extended_precision(contacts);
    CHECK(reference.finished);
    CHECK(reference.solved == contacts.feasible);
    solve(problem, {}, {}, workspace, solution);
    tally(contacts, problem, reference, solution, tolerance, result);
  }
  print(result);
  return result;
}

void check(const Tally& t, double residual) {
  CHECK(t.lost == 0);
  CHECK(t.claimed == 0);
  CHECK(t.off == 0);
  CHECK(t.worst.infeasibility < residual);
  CHECK(t.worst.complementarity < residual);
  CHECK(t.worst.stationarity < residual);
  CHECK(t.worst.dual_infeasibility == 0);
}

// Tolerances of v are those asked of the solvers: 1e-9 of the largest velocity, 1e-8 above a mass
// ratio of 1e3. Residuals of the active-set methods are rounding times the length of f, which
// mass ratios make a thousand times as long as y₀.
TEST_CASE("dual and ppm find the velocities of extended precision") {
  check(sweep("dual", 4000, 1, 1e-9), 1e-11);
  check(sweep("ppm", 4000, 2, 1e-9), 1e-11);
}

// Rows that differ by 1e-16 to 1e-4: the velocity is no better than its condition, the residual is.
TEST_CASE("nearly repeated contacts are solved to rounding") {
  LeastDistanceWorkspace workspace;
  LeastDistanceSolution solution;
  for (const std::string_view name : {"dual", "ppm"}) {
    std::mt19937_64 random(4);
    LeastDistanceResiduals worst{0, 0, 0, 0};
    for (int i = 0; i < 4000; ++i) {
      const Contacts contacts = test::random_contacts(random, true);
      find_least_distance_solver(name)->solve(test::least_distance(contacts), {}, {}, workspace,
                                              solution);
      CHECK((solution.status == SolveStatus::solved) == contacts.feasible);
      if (contacts.feasible) keep_worst(solution.residuals, worst);
    }
    CHECK(worst.infeasibility < 1.01e-13);  // the tolerance `violated`
    CHECK(worst.complementarity < 1e-11);   // and that times the length of f
    CHECK(worst.stationarity < 1e-11);
  }
}

// Only the set of active rows comes from GᵀG, so lemke is held to the tolerances of the others; the
// sample is smaller for its cost.
TEST_CASE("lemke is a second opinion to 1e-9") { check(sweep("lemke", 1000, 3, 1e-9), 1e-11); }

TEST_SUITE("long") {
  TEST_CASE("100 000 random problems: no endless loop, no failure") {
    check(sweep("dual", 100000, 11, 1e-9), 1e-11);
    check(sweep("ppm", 100000, 11, 1e-9), 1e-11);
  }
  TEST_CASE("lemke agrees on 20 000 random problems") {
    check(sweep("lemke", 20000, 12, 1e-9), 1e-11);
  }
}

}  // namespace
}  // namespace pequod
