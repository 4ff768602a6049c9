#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/complementarity/lcp_workspace.h"

namespace pequod {

/// What every complementarity solver looks like.
/// @param warm_start  n entries near a solution, such as z of the last step, or none. It changes
///                    the work, and where z is not unique the choice of z. May be solution.z.
/// @param solution    every field is overwritten; its buffers are kept, so that after the first
///                    solve of a size nothing is allocated unless the solve fails
/// @throws std::invalid_argument  if the sizes do not fit together
template <class Problem>
using SolveComplementarity = std::function<void(const Problem& problem, const LcpOptions& options,
                                                const Eigen::VectorXd& warm_start,
                                                LcpWorkspace& workspace, LcpSolution& solution)>;

template <class Problem>
struct ComplementaritySolver {
  std::string_view name;         ///< as written in a scene or on the command line
  std::string_view description;  ///< one line: method, source, what it assumes
  SolveComplementarity<Problem> solve;
};

using LcpSolver = ComplementaritySolver<LcpProblem>;
using MlcpSolver = ComplementaritySolver<MlcpProblem>;
using BoxSolver = ComplementaritySolver<BoxProblem>;

/// All of them. The first is `auto`: a chain of methods, each tried where the one before failed;
/// the solution names the one that produced z and counts the changes.
[[nodiscard]] std::span<const LcpSolver> lcp_solvers();
[[nodiscard]] std::span<const MlcpSolver> mlcp_solvers();
[[nodiscard]] std::span<const BoxSolver> box_solvers();

/// The solver of this name, or null.
[[nodiscard]] const LcpSolver* find_lcp_solver(std::string_view name);
[[nodiscard]] const MlcpSolver* find_mlcp_solver(std::string_view name);
[[nodiscard]] const BoxSolver* find_box_solver(std::string_view name);

}  // namespace pequod
