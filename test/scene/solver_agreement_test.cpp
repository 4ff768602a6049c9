// Every contact problem of the quadruped scenes, by all solvers.
#include <doctest/doctest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "contact/solvers/registry/least_distance_solvers.h"
#include "simulation/errors.h"
#include "simulation/simulation.h"
#include "test/scene/fixture.h"
#include "test/support/worst.h"

using namespace pequod;

namespace {

// Of the largest |y₀|, cᵢ/|gᵢ|, eⱼ/|Eⱼ|: the tolerance asked of the velocities.
constexpr double kSame = 1e-8;

// The least singular value of the unit rows that a solution holds.
double least_singular(const LeastDistanceProblem& problem, const LeastDistanceSolution& solution) {
  const auto k = static_cast<Eigen::Index>(solution.accepted.size());
  const auto active = static_cast<Eigen::Index>(solution.active.size());
  Eigen::MatrixXd rows(problem.y0.size(), k + active);
  rows.leftCols(k) = problem.E(Eigen::all, solution.accepted);
  rows.rightCols(active) = problem.G(Eigen::all, solution.active);
  rows.colwise().normalize();
  return rows.cols() ? rows.jacobiSvd().singularValues().minCoeff() : 1.0;
}

// How far apart two answers may be, of s, that both hold their rows to what they say they do: where
// rows all but depend on each other, what is violated moves the answer by so much.
double allowed(const LeastDistanceProblem& problem, const LeastDistanceSolution& a,
               const LeastDistanceSolution& b) {
  const double violated = a.residuals.infeasibility + b.residuals.infeasibility;
  const double rows = std::sqrt(static_cast<double>(problem.y0.size()));
  return kSame + violated * rows / least_singular(problem, b);
}

/// What the solvers made of the problems of one run.
struct Agreement {
  long problems = 0, without_solution = 0;
  long unsolved = 0;  ///< `failed`, or one solver finds a solution and another does not
  long apart = 0;     ///< two answers farther apart than `allowed`
  test::Worst worst;  ///< |y − y_dual|/s
};

/// Solves each problem of a run afresh by all solvers.
class Comparison {
 public:
  void see(const LeastDistanceProblem& problem) {
    ++result.problems;
    solutions_.resize(least_distance_solvers().size());
    for (std::size_t i = 0; i < solutions_.size(); ++i)
      least_distance_solvers()[i].solve(problem, {}, {}, workspace_, solutions_[i]);
    const LeastDistanceSolution& first = solutions_.front();
    if (first.status == SolveStatus::no_solution) ++result.without_solution;
    bool unsolved = first.status == SolveStatus::failed, apart = false;
    for (const LeastDistanceSolution& other : solutions_) {
      unsolved = unsolved || other.status != first.status;
      if (first.status != SolveStatus::solved || other.status != first.status) continue;
      const double s = scale(problem);
      const double distance = (other.y - first.y).norm() / (s > 0.0 ? s : 1.0);
      result.worst.see(distance);
      apart = apart || (!(distance <= kSame) && !(distance <= allowed(problem, first, other)));
    }
    result.unsolved += unsolved;
    result.apart += apart;
  }

  Agreement result;

 private:
  LeastDistanceWorkspace workspace_;
  std::vector<LeastDistanceSolution> solutions_;
};

/// Runs a scene for `duration` seconds.
Agreement compare_solvers(const std::string& name, double duration) {
  Scenario scenario = test::load("examples/quadruped/" + name + ".yaml");
  scenario.duration = duration;
  Comparison comparison;
  Observer observer;
  observer.problem.least_distance = [&](const LeastDistanceProblem& problem, std::span<const int>,
                                        const LeastDistanceSolution&) { comparison.see(problem); };
  try {
    Simulation(scenario, observer).run();
  } catch (const ContactError& error) {
    // The other scenes are compared all the same.
    FAIL_CHECK(name, ": ", std::string(error.what()));
  }
  const Agreement& result = comparison.result;
  std::printf(
      "%-18s %6ld problems, %ld without solution; unsolved %ld, apart %ld, |Δy|/s <= %.1e\n",
      name.c_str(), result.problems, result.without_solution, result.unsolved, result.apart,
      result.worst.value());
  return result;
}

void check_scenes(double duration) {
  for (const std::string name : {"trot", "rough", "trot_viscous", "links_flat", "links_terrain",
                                 "links_viscous_flat", "links_viscous"}) {
    INFO(name);
    const Agreement result = compare_solvers(name, duration);
    CHECK(result.problems > 0);
    CHECK(result.unsolved == 0);
    CHECK(result.apart == 0);
  }
}

}  // namespace

TEST_CASE("dual, ppm and lemke agree on each contact problem of the quadruped scenes") {
  check_scenes(0.3);
}

TEST_SUITE("long") {
  TEST_CASE("dual, ppm and lemke agree on each contact problem of ten seconds") {
    check_scenes(10.0);
  }
}
