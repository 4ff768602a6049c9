#include "contact/solvers/complementarity/lcp_least_distance.h"

#include <cmath>

#include "contact/solvers/complementarity/lcp_steps.h"
#include "contact/solvers/least_distance/dual.h"
#include "contact/solvers/linear/decompositions.h"

namespace pequod {

namespace {

/// G with M = GᵀG up to rounding, one row of G a pivot, the largest that is left first.
/// @return  false if M is not positive semidefinite
bool factor(const MatrixXd& M, LcpLeastDistanceWorkspace& work) {
  const Index n = M.rows();
  constexpr double kLeft = 1e-14;  // of the unit diagonal: what is left is rounding
  work.length.resize(n);
  for (Index i = 0; i < n; ++i) work.length[i] = M(i, i) > 0 ? std::sqrt(M(i, i)) : 1.0;
  work.rest = M;
  work.rest.array().colwise() /= work.length.array();
  work.rest.array().rowwise() /= work.length.transpose().array();
  MatrixXd& G = work.problem.G;
  G.setZero(n, n);
  Index rank = 0;
  for (; rank < n; ++rank) {
    Index pivot = 0;
    const double largest = work.rest.diagonal().maxCoeff(&pivot);
    if (!(largest > kLeft * static_cast<double>(n))) break;
    G.row(rank) = work.rest.row(pivot) / std::sqrt(largest);
    for (Index j = 0; j < n; ++j)
      if (G(rank, j) != 0) work.rest.col(j) -= G(rank, j) * G.row(rank).transpose();
    work.rest.row(pivot).setZero();
    work.rest.col(pivot).setZero();
  }
  // A semidefinite matrix without a diagonal has no entries at all.
  return n == 0 || work.rest.cwiseAbs().maxCoeff() <= 1e-11;
}

}  // namespace

void solve_lcp_by_least_distance(LeastDistanceMethod* method, std::string_view name,
                                 const LcpProblem& problem, const LcpOptions& options,
                                 const VectorXd& warm_start, LcpWorkspace& workspace,
                                 LcpSolution& solution) {
  if (!begin_lcp(problem, warm_start, workspace, solution, name)) return;
  LcpLeastDistanceWorkspace& work = workspace.least_distance;
  if (!may_be_semidefinite(problem.M) || !factor(problem.M, work)) {
    measure(problem, solution);
    solution.reason = "M is not symmetric positive semidefinite";
    return;
  }
  const Index n = problem.q.size();
  work.problem.y0.setZero(n);
  work.problem.E.resize(n, 0);
  work.problem.e.resize(0);
  work.problem.c = -problem.q.cwiseQuotient(work.length);
  work.start.clear();
  work.start.reserve(n);
  for (int i = 0; i < workspace.start.size(); ++i)
    if (workspace.start[i] > 0) work.start.push_back(i);
  LeastDistanceOptions inner;
  inner.max_pivots = options.max_iterations;
  method(work.problem, inner, work.start, work.workspace, work.solution);
  solution.pivots = work.solution.pivots;
  solution.switches = work.solution.switches;
  solution.z = work.solution.f.head(n).cwiseQuotient(work.length);
  if (work.solution.status == SolveStatus::no_solution) {
    workspace.kept = solution.z;
    solution.z.setZero();
    measure(problem, solution);
    solution.reason = work.solution.reason;
    accept_certificate(problem, workspace.kept, solution);
    return;
  }
  refine_lcp(problem, workspace, solution);
  if (work.solution.status == SolveStatus::failed) solution.reason = work.solution.reason;
  finish_lcp(problem, options, solution);
}

void solve_lcp_by_dual(const LcpProblem& problem, const LcpOptions& options,
                       const VectorXd& warm_start, LcpWorkspace& workspace, LcpSolution& solution) {
  solve_lcp_by_least_distance(solve_dual, "dual", problem, options, warm_start, workspace,
                              solution);
}

}  // namespace pequod
