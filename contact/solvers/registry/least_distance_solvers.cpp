#include "contact/solvers/registry/least_distance_solvers.h"

#include <array>
#include <utility>

#include "contact/solvers/least_distance/dual.h"
#include "contact/solvers/reference/least_distance_lemke.h"
#include "contact/solvers/reference/ppm.h"

namespace pequod {

std::span<const LeastDistanceSolver> least_distance_solvers() {
  static const std::array solvers = {
      LeastDistanceSolver{
          {"dual", "dual active set (Goldfarb & Idnani 1983); cannot cycle", solve_dual}, true},
      LeastDistanceSolver{
          {"ppm", "principal pivoting (Drumwright 2015, Algorithm 1), cycles caught", solve_ppm}},
      LeastDistanceSolver{{"lemke",
                           "Lemke's method on the n×n complementarity problem; for comparison",
                           solve_least_distance_by_lemke}},
  };
  return solvers;
}

LeastDistanceSolver watched(const LeastDistanceSolver& solver, WatchLeastDistance watch) {
  if (!watch) return solver;
  LeastDistanceSolver result = solver;
  result.watched = true;
  result.solve = [solve = solver.solve, watch = std::move(watch)](
                     const LeastDistanceProblem& problem, const LeastDistanceOptions& options,
                     std::span<const int> warm_start, LeastDistanceWorkspace& workspace,
                     LeastDistanceSolution& solution) {
    solve(problem, options, warm_start, workspace, solution);
    watch(problem, warm_start, solution);
  };
  return result;
}

}  // namespace pequod
