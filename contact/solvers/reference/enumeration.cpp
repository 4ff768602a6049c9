#include "contact/solvers/reference/enumeration.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "contact/solvers/complementarity/lcp_steps.h"
#include "contact/solvers/least_distance/non_negative_least_squares.h"
#include "contact/solvers/linear/decompositions.h"

namespace pequod {

namespace {

using Choice = std::uint32_t;  // bit i: wᵢ = 0, zᵢ free to be positive

void set_rows(Choice choice, Index n, std::vector<int>& set) {
  set.clear();
  for (int i = 0; i < n; ++i)
    if ((choice >> i & 1U) != 0) set.push_back(i);
}

/// z ≥ 0 on the set and w ≥ 0 off it with M z + q = w; the block of the set is singular.
bool solve_singular(const LcpProblem& problem, const std::vector<int>& set, VectorXd& z) {
  const MatrixXd block = problem.M(set, set);
  const VectorXd wanted = -problem.q(set);
  const VectorXd close = LeastNormFactor(block).solve(wanted);
  if ((block * close - wanted).norm() > 1e-9 * problem.q.norm()) return false;
  // −q = M z − w as a sum of the columns of the complementary cone.
  const Index n = problem.q.size();
  MatrixXd cone = -MatrixXd::Identity(n, n);
  for (const int i : set) cone.col(i) = problem.M.col(i);
  const VectorXd length = cone.colwise().norm().cwiseMax(1e-300);
  const VectorXd part =
      solve_non_negative_least_squares(cone * length.cwiseInverse().asDiagonal(), -problem.q);
  for (const int i : set) z[i] = part[i] / length[i];
  return true;
}

/// z of this choice; false if its signs or its singular block already rule it out.
bool solve_choice(const LcpProblem& problem, Choice choice, LcpWorkspace& workspace, VectorXd& z) {
  const Index n = problem.q.size();
  std::vector<int>& set = workspace.set;
  set_rows(choice, n, set);
  const auto k = static_cast<Index>(set.size());
  z.setZero(n);
  Eigen::Map<MatrixXd> block = workspace.lu.matrix(k);
  for (Index j = 0; j < k; ++j)
    for (Index i = 0; i < k; ++i) block(i, j) = problem.M(set[i], set[j]);
  if (workspace.lu.factor() < 1e-13) return solve_singular(problem, set, z);
  workspace.step.resize(n);
  for (Index i = 0; i < k; ++i) workspace.step[i] = -problem.q[set[i]];
  workspace.lu.solve(workspace.step.data());
  const auto found = workspace.step.head(k);
  if (k > 0 && found.minCoeff() < -1e-9 * found.cwiseAbs().maxCoeff()) return false;
  for (Index i = 0; i < k; ++i) z[set[i]] = std::max(0.0, found[i]);
  return true;
}

bool solves(const LcpProblem& problem, const LcpOptions& options, Choice choice,
            LcpWorkspace& workspace, LcpSolution& solution) {
  ++solution.pivots;
  if (!solve_choice(problem, choice, workspace, solution.z)) return false;
  finish_lcp(problem, options, solution);
  if (solution.status != SolveStatus::solved) return false;
  refine_lcp(problem, workspace, solution);
  finish_lcp(problem, options, solution);
  return solution.status == SolveStatus::solved;
}

}  // namespace

void solve_lcp_by_enumeration(const LcpProblem& problem, const LcpOptions& options,
                              const VectorXd& warm_start, LcpWorkspace& workspace,
                              LcpSolution& solution) {
  if (!begin_lcp(problem, warm_start, workspace, solution, "enumerate")) return;
  const Index n = problem.q.size();
  if (n > kMostEnumeratedRows) {
    measure(problem, solution);
    solution.reason = std::to_string(n) + " rows are too many to enumerate";
    return;
  }
  Choice warm = 0;
  for (int i = 0; i < workspace.start.size(); ++i)
    if (workspace.start[i] > 0) warm |= Choice{1} << i;
  if (warm != 0 && solves(problem, options, warm, workspace, solution)) return;
  for (Choice choice = 0; choice >> n == 0; ++choice)
    if (solves(problem, options, choice, workspace, solution)) return;
  solution.z.setZero();
  measure(problem, solution);
  look_for_certificate(problem, solution);
  if (solution.status == SolveStatus::no_solution) return;
  solution.status = SolveStatus::no_solution;
  solution.reason = "none of the 2ⁿ complementary choices is a solution";
}

std::vector<VectorXd> all_lcp_solutions(const LcpProblem& problem, const LcpOptions& options) {
  LcpWorkspace workspace;
  LcpSolution solution;
  std::vector<VectorXd> all;
  if (!begin_lcp(problem, {}, workspace, solution, "enumerate")) return all;
  const Index n = problem.q.size();
  if (n > kMostEnumeratedRows)
    throw std::invalid_argument(std::to_string(n) + " rows are too many to enumerate");
  for (Choice choice = 0; choice >> n == 0; ++choice) {
    if (!solves(problem, options, choice, workspace, solution)) continue;
    const bool known = std::ranges::any_of(all, [&](const VectorXd& z) {
      return (z - solution.z).norm() <= 1e-8 * std::max(z.norm(), solution.z.norm());
    });
    if (!known) all.push_back(solution.z);
  }
  return all;
}

}  // namespace pequod
