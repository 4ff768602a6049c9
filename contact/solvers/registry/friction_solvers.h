#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "contact/solvers/friction/friction_workspace.h"

namespace pequod {

template <class Problem>
struct ContactsSolver {
  std::string_view name;         ///< as written in a scene
  std::string_view description;  ///< one line
  SolveContacts<Problem> solve;
};

using FrictionSolver = ContactsSolver<FrictionProblem>;
using SparseFrictionSolver = ContactsSolver<SparseFrictionProblem>;

/// All of them, the default first.
[[nodiscard]] std::span<const FrictionSolver> friction_solvers();

/// All that solve problems with a sparse W, the default first: one of its own, and those above on a
/// dense W.
[[nodiscard]] std::span<const SparseFrictionSolver> sparse_friction_solvers();

/// The function of this name, or none.
[[nodiscard]] std::optional<SolveFriction> find_friction_solver(std::string_view name);
[[nodiscard]] std::optional<SolveSparseFriction> find_sparse_friction_solver(std::string_view name);

}  // namespace pequod
