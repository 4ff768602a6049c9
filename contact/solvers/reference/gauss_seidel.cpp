#include "contact/solvers/reference/gauss_seidel.h"

#include <string>

#include "contact/solvers/complementarity/lcp_bounds.h"
#include "contact/solvers/complementarity/lcp_steps.h"

namespace pequod {

namespace {

using Eigen::Index;

/// One sweep; w is kept up to date column by column.
template <class Problem>
void sweep(const Problem& problem, Eigen::VectorXd& z, Eigen::VectorXd& w) {
  for (Index i = 0; i < z.size(); ++i) {
    const double next = bounds(problem, i).project(z[i] - w[i] / problem.M(i, i));
    if (next == z[i]) continue;
    w += (next - z[i]) * problem.M.col(i);
    z[i] = next;
  }
}

template <class Problem>
void sweep_until_solved(const Problem& problem, const LcpOptions& options, LcpWorkspace& workspace,
                        LcpSolution& solution) {
  constexpr int kBetweenChecks = 20;  // a measured residual costs as much as a sweep
  const Index n = problem.q.size();
  const int limit = options.max_iterations > 0 ? options.max_iterations : 100000;
  if (workspace.start.size() > 0) solution.z = workspace.start;
  for (Index i = 0; i < n; ++i) solution.z[i] = bounds(problem, i).project(solution.z[i]);
  measure(problem, solution);
  double best = solution.residuals.relative;
  int idle = 0;  // checks without progress
  while (solution.residuals.relative > 1e-2 * options.residual && solution.pivots < limit &&
         idle < 50 && std::isfinite(solution.residuals.relative)) {
    for (int k = 0; k < kBetweenChecks; ++k) sweep(problem, solution.z, solution.w);
    solution.pivots += kBetweenChecks;
    measure(problem, solution);
    idle = solution.residuals.relative < 0.99 * best ? 0 : idle + 1;
    best = std::min(best, solution.residuals.relative);
  }
  finish_lcp(problem, options, solution);
}

template <class Problem>
void run_sweeps(const Problem& problem, const LcpOptions& options,
                const Eigen::VectorXd& warm_start, LcpWorkspace& workspace, LcpSolution& solution) {
  if (!begin_lcp(problem, warm_start, workspace, solution, "pgs")) return;
  for (Index i = 0; i < problem.q.size(); ++i) {
    if (problem.M(i, i) > 0) continue;
    solution.reason = "row " + std::to_string(i) + " has no positive diagonal entry";
    measure(problem, solution);
    return;
  }
  sweep_until_solved(problem, options, workspace, solution);
}

}  // namespace

void solve_lcp_by_gauss_seidel(const LcpProblem& problem, const LcpOptions& options,
                               const Eigen::VectorXd& warm_start, LcpWorkspace& workspace,
                               LcpSolution& solution) {
  run_sweeps(problem, options, warm_start, workspace, solution);
  if (solution.status == SolveStatus::failed) look_for_certificate(problem, solution);
}

void solve_box_by_gauss_seidel(const BoxProblem& problem, const LcpOptions& options,
                               const Eigen::VectorXd& warm_start, LcpWorkspace& workspace,
                               LcpSolution& solution) {
  run_sweeps(problem, options, warm_start, workspace, solution);
}

}  // namespace pequod
