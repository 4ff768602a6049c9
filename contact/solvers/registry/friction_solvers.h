#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "contact/solvers/friction/dense/friction_workspace.h"
#include "contact/solvers/friction/sparse/sparse_friction_workspace.h"

namespace pequod {

struct FrictionSolver {
  std::string_view name;         ///< as written in a scene
  std::string_view description;  ///< one line
  SolveFriction solve;
};

/// All of them, the default first.
[[nodiscard]] std::span<const FrictionSolver> friction_solvers();

/// The function of this name, or none.
[[nodiscard]] std::optional<SolveFriction> find_friction_solver(std::string_view name);

struct SparseFrictionSolver {
  std::string_view name;         ///< as written in a scene
  std::string_view description;  ///< one line
  SolveSparseFriction solve;
};

/// All of them, the default first.
[[nodiscard]] std::span<const SparseFrictionSolver> sparse_friction_solvers();

/// The function of this name, or none.
[[nodiscard]] std::optional<SolveSparseFriction> find_sparse_friction_solver(std::string_view name);

}  // namespace pequod
