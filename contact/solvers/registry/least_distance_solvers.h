#pragma once

#include "contact/solvers/least_distance/least_distance.h"
#include "contact/solvers/least_distance/least_distance_workspace.h"
#include "contact/solvers/registry/solver_row.h"

namespace pequod {

/// Is shown a problem, its warm start and what the solver made of it.
using WatchLeastDistance =
    std::function<void(const LeastDistanceProblem& problem, std::span<const int> warm_start,
                       const LeastDistanceSolution& solution)>;

struct LeastDistanceSolver : SolverRow<LeastDistanceMethod> {
  /// Whether an answer may be taken from a factor of all rows that is at hand, where all of them
  /// carry. Not of methods to be compared.
  bool takes_basis = false;
  bool watched = false;  ///< see watched(): problems of such answers are to be shown too
};

/// All of them, the default first.
[[nodiscard]] std::span<const LeastDistanceSolver> least_distance_solvers();

/// The solver of this name, or null.
[[nodiscard]] inline const LeastDistanceSolver* find_least_distance_solver(std::string_view name) {
  return find_row(least_distance_solvers(), name);
}

/// The same solver, with every solve shown to `watch`; without a `watch` the solver itself.
[[nodiscard]] LeastDistanceSolver watched(const LeastDistanceSolver& solver,
                                          WatchLeastDistance watch);

}  // namespace pequod
