#include "contact/solvers/registry/least_distance_solvers.h"

#include <array>
#include <utility>

#include "contact/solvers/least_distance/dual.h"
#include "contact/solvers/reference/least_distance_lemke.h"
#include "contact/solvers/reference/ppm.h"

namespace pequod {

namespace {

/// Of the overloads it takes the one with a workspace.
using SolveWithWorkspace = void (*)(const LeastDistanceProblem&, const LeastDistanceOptions&,
                                    std::span<const int>, LeastDistanceWorkspace&,
                                    LeastDistanceSolution&);

LeastDistanceSolver least_distance_row(std::string_view name, std::string_view description,
                                       SolveWithWorkspace solve, bool takes_basis = false) {
  return {name, description, solve, takes_basis};
}

}  // namespace

std::span<const LeastDistanceSolver> least_distance_solvers() {
  static const std::array solvers = {
      least_distance_row("dual", "dual active set (Goldfarb & Idnani 1983); cannot cycle",
                         solve_dual, true),
      least_distance_row("ppm", "principal pivoting (Drumwright 2015, Algorithm 1), cycles caught",
                         solve_ppm),
      least_distance_row("lemke",
                         "Lemke's method on the n×n complementarity problem; for comparison",
                         solve_least_distance_by_lemke),
  };
  return solvers;
}

std::optional<SolveLeastDistance> find_least_distance_solver(std::string_view name) {
  for (const LeastDistanceSolver& solver : least_distance_solvers())
    if (solver.name == name) return solver.solve;
  return std::nullopt;
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
