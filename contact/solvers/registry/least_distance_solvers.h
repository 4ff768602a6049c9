#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "contact/solvers/least_distance/least_distance.h"
#include "contact/solvers/least_distance/least_distance_workspace.h"

namespace pequod {

/// What every least-distance solver looks like; see solve_dual for the arguments.
using SolveLeastDistance =
    std::function<void(const LeastDistanceProblem& problem, const LeastDistanceOptions& options,
                       std::span<const int> warm_start, LeastDistanceWorkspace& workspace,
                       LeastDistanceSolution& solution)>;

/// Is shown a problem, its warm start and what the solver made of it.
using WatchLeastDistance =
    std::function<void(const LeastDistanceProblem& problem, std::span<const int> warm_start,
                       const LeastDistanceSolution& solution)>;

struct LeastDistanceSolver {
  std::string_view name;         ///< as written in a scene
  std::string_view description;  ///< one line
  SolveLeastDistance solve;
  /// Whether an answer may be taken from a factor of all rows that is at hand, where all of them
  /// carry. Not of methods to be compared.
  bool takes_basis = false;
  bool watched = false;  ///< see watched(): problems of such answers are to be shown too
};

/// All of them, the default first.
[[nodiscard]] std::span<const LeastDistanceSolver> least_distance_solvers();

/// The function of this name, or none.
[[nodiscard]] std::optional<SolveLeastDistance> find_least_distance_solver(std::string_view name);

/// The same solver, with every solve shown to `watch`; without a `watch` the solver itself.
[[nodiscard]] LeastDistanceSolver watched(const LeastDistanceSolver& solver,
                                          WatchLeastDistance watch);

}  // namespace pequod
