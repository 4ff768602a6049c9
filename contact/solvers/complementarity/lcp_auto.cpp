#include "contact/solvers/complementarity/lcp_auto.h"

#include <span>
#include <utility>

#include "contact/solvers/complementarity/dantzig.h"
#include "contact/solvers/complementarity/lcp_least_distance.h"
#include "contact/solvers/complementarity/lcp_steps.h"
#include "contact/solvers/complementarity/lemke.h"
#include "contact/solvers/complementarity/semismooth_newton.h"
#include "contact/solvers/linear/decompositions.h"

namespace pequod {

namespace {

template <class Problem>
using Method = ComplementarityMethod<Problem>*;

/// Method after method until one solves the problem or proves that it has no solution; if none
/// does, the best point of all is left.
template <class Problem>
void solve_by_chain(std::span<const Method<Problem>> methods, const Problem& problem,
                    const LcpOptions& options, const VectorXd& warm_start, LcpWorkspace& workspace,
                    LcpSolution& solution) {
  LcpSolution& best = workspace.fallback;
  int pivots = 0, switches = -1;
  for (const Method<Problem>& method : methods) {
    method(problem, options, warm_start, workspace, solution);
    pivots += solution.pivots;
    switches += 1 + solution.switches;
    const bool first = &method == &methods.front();
    if (solution.status != SolveStatus::failed) break;
    if (first || solution.residuals.relative < best.residuals.relative) std::swap(best, solution);
    if (&method == &methods.back()) std::swap(best, solution);
  }
  solution.pivots = pivots;
  solution.switches = switches;
}

/// The LCP of workspace.reduction solved by `method`, and what that says of the box.
void solve_reduced(Method<LcpProblem> method, const BoxProblem& problem, const LcpOptions& options,
                   LcpWorkspace& workspace, LcpSolution& solution) {
  BoxReduction& reduction = workspace.reduction;
  LcpSolution& reduced = workspace.reduced;
  workspace.reduced_start.resize(0);
  if (workspace.start.size() > 0) reduction.write_start(workspace.start, workspace.reduced_start);
  workspace.inner.resize(1);
  method(reduction.lcp(), options, workspace.reduced_start, workspace.inner.front(), reduced);
  solution.solver = reduced.solver;
  solution.pivots = reduced.pivots;
  solution.switches = reduced.switches;
  reduction.write_z(reduced.z, solution.z);
  refine_lcp(problem, workspace, solution);
  finish_lcp(problem, options, solution);
  if (reduced.status == SolveStatus::solved || solution.status == SolveStatus::solved) return;
  solution.reason = reduced.reason;
  if (reduced.certificate.size() == 0) return;
  reduction.write_certificate(reduced.certificate, workspace.kept);
  accept_certificate(problem, workspace.kept, solution);
}

void solve_box_by(std::string_view name, Method<LcpProblem> method, const BoxProblem& problem,
                  const LcpOptions& options, const VectorXd& warm_start, LcpWorkspace& workspace,
                  LcpSolution& solution) {
  if (!begin_lcp(problem, warm_start, workspace, solution, name)) return;
  workspace.reduction.reset(problem, options.zero);
  solve_reduced(method, problem, options, workspace, solution);
}

void solve_box_by_lcp_auto(const BoxProblem& problem, const LcpOptions& options,
                           const VectorXd& warm_start, LcpWorkspace& workspace,
                           LcpSolution& solution) {
  solve_box_by("auto", solve_lcp_auto, problem, options, warm_start, workspace, solution);
}

}  // namespace

void solve_lcp_auto(const LcpProblem& problem, const LcpOptions& options,
                    const VectorXd& warm_start, LcpWorkspace& workspace, LcpSolution& solution) {
  static constexpr Method<LcpProblem> kMethods[] = {solve_lcp_by_dantzig, solve_lcp_by_dual,
                                                    solve_lcp_by_lemke, solve_lcp_by_newton};
  check_sizes(problem);
  // The first two would only say that M does not suit them.
  std::span<const Method<LcpProblem>> methods = kMethods;
  if (!may_be_semidefinite(problem.M)) methods = methods.subspan(2);
  solve_by_chain<LcpProblem>(methods, problem, options, warm_start, workspace, solution);
}

void solve_box_auto(const BoxProblem& problem, const LcpOptions& options,
                    const VectorXd& warm_start, LcpWorkspace& workspace, LcpSolution& solution) {
  static constexpr Method<BoxProblem> kMethods[] = {solve_box_by_lcp_auto, solve_box_by_newton};
  solve_by_chain<BoxProblem>(kMethods, problem, options, warm_start, workspace, solution);
}

void solve_box_by_lemke(const BoxProblem& problem, const LcpOptions& options,
                        const VectorXd& warm_start, LcpWorkspace& workspace,
                        LcpSolution& solution) {
  solve_box_by("lemke", solve_lcp_by_lemke, problem, options, warm_start, workspace, solution);
}

}  // namespace pequod
