#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "contact/solvers/least_distance.h"
#include "contact/solvers/least_distance_workspace.h"

namespace pequod {

/// What every least-distance solver looks like; see solve_dual for the arguments.
using SolveLeastDistance = void (*)(const LeastDistanceProblem& problem,
                                    const LeastDistanceOptions& options,
                                    std::span<const int> warm_start,
                                    LeastDistanceWorkspace& workspace,
                                    LeastDistanceSolution& solution);

struct LeastDistanceSolver {
  std::string_view name;         ///< as written in a scene
  std::string_view description;  ///< one line
  SolveLeastDistance solve = nullptr;
};

/// All of them, the default first.
[[nodiscard]] std::span<const LeastDistanceSolver> least_distance_solvers();

/// The function of this name, or none.
[[nodiscard]] std::optional<SolveLeastDistance> find_least_distance_solver(std::string_view name);

}  // namespace pequod
