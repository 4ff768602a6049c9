#include "app/certify/solves.h"

#include <algorithm>

#include "app/natural_map.h"
#include "contact/solvers/friction/dense/coulomb_chain.h"

namespace pequod::app::certify {
namespace {

using Eigen::VectorXd;

// @param solved  by what the solver says
void count_solve(bool solved, double natural, double gap, SolveCount& count) {
  ++count.solves;
  if (!solved) {
    ++count.unsolved;
    return;
  }
  count.natural_map = std::max(count.natural_map, natural);
  count.gap = std::max(count.gap, gap);
}

// |y − y₀|²/2 less the value of the dual at (f, fe), over s².
double least_distance_gap(const LeastDistanceProblem& problem,
                          const LeastDistanceSolution& solution) {
  const Eigen::Index k = problem.equalities(), n = problem.inequalities();
  const VectorXd f = solution.f.head(n).cwiseMax(0.0), fe = solution.fe.head(k);
  const VectorXd pull = problem.G.leftCols(n) * f + problem.E.leftCols(k) * fe;
  const double primal = 0.5 * (solution.y - problem.y0).squaredNorm();
  const double dual = problem.c.head(n).dot(f) + problem.e.head(k).dot(fe) - pull.dot(problem.y0) -
                      0.5 * pull.squaredNorm();
  const double s = scale(problem);
  return std::abs(primal - dual) / (s > 0.0 ? s * s : 1.0);
}

double complementarity_residual(const LcpProblem& problem, const VectorXd& z) {
  return z.cwiseMin(problem.M * z + problem.q).norm() / (1.0 + problem.q.norm());
}

// u = W r + q anew.
double cone_residual(const FrictionProblem& problem, const FrictionSolution& solution) {
  FrictionSolution again = solution;
  measure(problem, again);
  return again.residuals.scaled;
}

bool may_be_several(const FrictionSolution& solution) {
  if (solution.several || solution.modes.size() <= kAskedContacts) return solution.several;
  return std::ranges::find(solution.modes, FrictionMode::slide) != solution.modes.end();
}

void count_cones(const FrictionProblem& problem, const FrictionSolution& solution,
                 SolveCount& count) {
  const bool solved = solution.status == SolveStatus::solved;
  count_solve(solved, solved ? cone_residual(problem, solution) : 0.0, SolveCount::kNoGap, count);
  count.several += may_be_several(solution) ? 1 : 0;
}

}  // namespace

ProblemWatch watch_solves(SolveCounts& counts) {
  ProblemWatch watch;
  watch.least_distance = [&](const LeastDistanceProblem& problem, std::span<const int>,
                             const LeastDistanceSolution& solution) {
    const bool solved = solution.status == SolveStatus::solved;
    count_solve(solved, solved ? natural_map(problem, solution) : 0.0,
                solved ? least_distance_gap(problem, solution) : 0.0, counts["least-distance"]);
  };
  watch.friction = [&](const FrictionProblem& problem, std::span<const double>,
                       const FrictionSolution& solution) {
    count_cones(problem, solution, counts["cones"]);
  };
  watch.dissipation = [&](const FrictionProblem&, const MaximumDissipationOptions&,
                          const MaximumDissipationSolution& solution) {
    const bool solved = solution.status == SolveStatus::solved;
    count_solve(solved, std::max(solution.penetration, solution.cone), solution.gap,
                counts["dissipation"]);
  };
  watch.lcp = [&](const LcpProblem& problem, const LcpSolution& solution) {
    const bool solved = solution.status == SolveStatus::solved;
    count_solve(solved, solved ? complementarity_residual(problem, solution.z) : 0.0,
                SolveCount::kNoGap, counts["pyramids"]);
  };
  watch.modes = [&](const FrictionProblem& problem, const FrictionSolution& solution) {
    count_cones(problem, solution, counts["modes"]);
  };
  return watch;
}

SolveCount count_all(const SolveCounts& counts) {
  SolveCount all;
  for (const auto& [kind, count] : counts) {
    all.solves += count.solves;
    all.unsolved += count.unsolved;
    all.several += count.several;
    all.natural_map = std::max(all.natural_map, count.natural_map);
    all.gap = std::max(all.gap, count.gap);
  }
  return all;
}

}  // namespace pequod::app::certify
