#include "contact/solvers/reference/lcp_active_set.h"

#include "contact/solvers/complementarity/lcp_steps.h"
#include "contact/solvers/quadratic/quadratic_program.h"

namespace pequod {

void solve_lcp_by_active_set(const LcpProblem& problem, const LcpOptions& options,
                             const Eigen::VectorXd& warm_start, LcpWorkspace& workspace,
                             LcpSolution& solution) {
  if (!begin_lcp(problem, warm_start, workspace, solution, "active-set")) return;
  const Eigen::Index n = problem.q.size();
  QuadraticProblem& program = workspace.program;
  program.M = problem.M;
  program.q = problem.q;
  program.lower.setZero(n);
  program.A.resize(0, n);
  program.b.resize(0);
  QuadraticWorkspace& work = workspace.quadratic;
  if (workspace.start.size() > 0)
    work.centre = workspace.start.cwiseMax(0.0);
  else
    work.centre.setZero(n);
  QuadraticSolution& found = workspace.quadratic_solution;
  solve_quadratic_program(
      program, {1e-12, options.max_iterations > 0 ? options.max_iterations : 100}, work, found);
  solution.z = found.x;
  solution.pivots = found.pivots;
  if (found.status != SolveStatus::solved) solution.reason = found.reason;
  refine_lcp(problem, workspace, solution);
  finish_lcp(problem, options, solution);
  if (solution.status == SolveStatus::solved || found.steps < 2) return;
  // Steps that never end go along a ray.
  work.slack = (work.centre - work.previous).cwiseMax(0.0);
  if (!accept_certificate(problem, work.slack, solution)) look_for_certificate(problem, solution);
}

}  // namespace pequod
