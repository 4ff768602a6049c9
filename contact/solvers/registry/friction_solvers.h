#pragma once

#include "contact/solvers/friction/friction_workspace.h"
#include "contact/solvers/registry/solver_row.h"

namespace pequod {

using FrictionSolver = SolverRow<ContactsMethod<FrictionProblem>>;
using SparseFrictionSolver = SolverRow<ContactsMethod<SparseFrictionProblem>>;

/// All of them, the default first.
[[nodiscard]] std::span<const FrictionSolver> friction_solvers();

/// All that solve problems with a sparse W, the default first: one of its own, and those above on a
/// dense W.
[[nodiscard]] std::span<const SparseFrictionSolver> sparse_friction_solvers();

/// The solver of this name, or null.
[[nodiscard]] inline const FrictionSolver* find_friction_solver(std::string_view name) {
  return find_row(friction_solvers(), name);
}

}  // namespace pequod
