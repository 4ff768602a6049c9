#pragma once

#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/complementarity/lcp_workspace.h"
#include "contact/solvers/registry/solver_row.h"

namespace pequod {

template <class Problem>
using ComplementaritySolver = SolverRow<ComplementarityMethod<Problem>>;

using LcpSolver = ComplementaritySolver<LcpProblem>;
using BoxSolver = ComplementaritySolver<BoxProblem>;

/// All of them. The first is `auto`: a chain of methods, each tried where the one before failed;
/// the solution names the one that produced z and counts the changes. Mixed problems are boxes.
[[nodiscard]] std::span<const LcpSolver> lcp_solvers();
[[nodiscard]] std::span<const BoxSolver> box_solvers();

/// The solver of this name, or null.
[[nodiscard]] inline const LcpSolver* find_lcp_solver(std::string_view name) {
  return find_row(lcp_solvers(), name);
}

}  // namespace pequod
