#include "contact/solvers/reference/least_distance_lemke.h"

#include <vector>

#include "contact/solvers/complementarity/lemke.h"
#include "contact/solvers/least_distance/active_set_steps.h"

namespace pequod {

namespace {

/// Rows that may carry something, made unit rows again: pivots of short ones would count as zero.
struct ReducedRows {
  std::vector<int> rows;
  MatrixXd H;
  VectorXd c;
};

ReducedRows reduced_rows(LeastDistanceWorkspace& workspace) {
  const ReducedProblem& problem = workspace.problem;
  ReducedRows result;
  for (int i = 0; i < problem.rows(); ++i)
    if (!problem.idle(i)) result.rows.push_back(i);
  const auto n = static_cast<Index>(result.rows.size());
  result.H.resize(problem.dimension(), n);
  result.c.resize(n);
  for (Index k = 0; k < n; ++k) {
    const int row = result.rows[k];
    problem.unit_row(row, workspace.g);
    result.H.col(k) = workspace.g.head(problem.dimension()) / problem.left(row);
    result.c[k] = problem.c(row) / problem.left(row);
  }
  return result;
}

/// The rows of positive multipliers, without those that depend on the others.
void load_set(const ReducedRows& reduced, const VectorXd& z, const LeastDistanceOptions& options,
              LeastDistanceWorkspace& workspace) {
  ActiveSetFactor& B = workspace.factor;
  for (Index k = 0; k < z.size(); ++k) {
    if (!(z[k] > 0.0)) continue;
    const int row = reduced.rows[k];
    workspace.problem.unit_row(row, workspace.g);
    const double left = B.split(workspace.g.head(workspace.problem.dimension()));
    if (left > dependence_bound(row, options, workspace)) B.append(row);
  }
  solve_on_active_set(workspace);
}

SolveStatus take_set_of_lemke(const LeastDistanceOptions& options,
                              LeastDistanceWorkspace& workspace, LeastDistanceSolution& solution) {
  const ReducedRows reduced = reduced_rows(workspace);
  const LcpSolution lcp = solve_lemke({reduced.H.transpose() * reduced.H,
                                       reduced.H.transpose() * workspace.problem.y0() - reduced.c});
  if (lcp.status == SolveStatus::solved) load_set(reduced, lcp.z, options, workspace);
  const SolveStatus status = take_dual_steps(options, workspace, solution);
  solution.switches = solution.pivots > 0 ? 1 : 0;
  solution.pivots += lcp.pivots;
  return status;
}

}  // namespace

void solve_least_distance_by_lemke(const LeastDistanceProblem& problem,
                                   const LeastDistanceOptions& options,
                                   std::span<const int> /*warm_start*/,
                                   LeastDistanceWorkspace& workspace,
                                   LeastDistanceSolution& solution) {
  solve_by(take_set_of_lemke, problem, options, {}, workspace, solution);
}

}  // namespace pequod
