#include <algorithm>

#include "contact/models/contact_model.h"
#include "contact/models/least_distance_form.h"

namespace pequod {
namespace {

// m/s: a contact that separates more slowly counts as touching.
constexpr double kTouching = 1e-9;

// Columns S, T of the contacts in the set become the equalities Eᵀy = 0.
void hold_tangents(const ContactProblem& problem, const std::vector<char>& set,
                   LeastDistanceProblem& out) {
  out.k = 0;
  for (int i = 0; i < problem.n; ++i) {
    if (!set[static_cast<std::size_t>(i)] || problem.limit[static_cast<std::size_t>(i)]) continue;
    for (int j = 2 * i; j < 2 * i + 2; ++j) {
      out.E.col(out.k) = problem.tangents.col(j);
      out.e[out.k] = 0.0;
      ++out.k;
    }
  }
}

void read_tangents(const ContactProblem& problem, const std::vector<char>& set,
                   const LeastDistanceSolution& in, ContactSolution& out) {
  int k = 0;
  for (int i = 0; i < problem.n; ++i) {
    if (!set[static_cast<std::size_t>(i)] || problem.limit[static_cast<std::size_t>(i)]) continue;
    out.ft[2 * i] = in.fe[k];
    out.ft[2 * i + 1] = in.fe[k + 1];
    k += 2;
  }
}

// T ← {touching} ∪ locked; contacts taken back while sets repeat are locked for good.
bool update_set(const VectorXd& speed, ContactWorkspace& workspace, int& locks) {
  std::vector<char>& set = workspace.set;
  std::vector<char>& next = workspace.next;
  next = workspace.locked;
  for (std::size_t i = 0; i < set.size(); ++i)
    if (speed[static_cast<Eigen::Index>(i)] <= kTouching) next[i] = 1;
  if (next == set) return false;
  const auto& earlier = workspace.earlier;
  if (std::find(earlier.begin(), earlier.end(), next) != earlier.end()) {
    for (std::size_t i = 0; i < set.size(); ++i)
      if (next[i] && !set[i] && !workspace.locked[i]) {
        workspace.locked[i] = 1;
        ++locks;
      }
    for (std::size_t i = 0; i < set.size(); ++i)
      if (workspace.locked[i]) next[i] = 1;
  }
  workspace.earlier.push_back(set);
  set = next;
  return true;
}

}  // namespace

void solve_no_slip(const ContactProblem& problem, const LeastDistanceSolver& solver,
                   std::span<const int> warm, ContactWorkspace& workspace,
                   ContactSolution& solution) {
  pose_normals(problem, workspace.problem);
  const auto n = static_cast<std::size_t>(problem.n);
  workspace.set.assign(n, 0);
  workspace.locked.assign(n, 0);
  workspace.earlier.clear();
  workspace.speed.noalias() = problem.normals.matrix().transpose() * problem.y - problem.c;
  for (std::size_t i = 0; i < n; ++i)
    workspace.set[i] = workspace.speed[static_cast<Eigen::Index>(i)] <= kTouching ? 1 : 0;
  int pivots = 0;
  solution.locks = 0;
  solution.rounds = 0;
  for (bool changed = true; changed;) {
    hold_tangents(problem, workspace.set, workspace.problem);
    solver.solve(workspace.problem, {}, warm, workspace.solver, workspace.solution);
    pivots += workspace.solution.pivots;
    ++solution.rounds;
    if (workspace.solution.status != LeastDistanceStatus::solved) break;
    workspace.speed.noalias() =
        problem.normals.matrix().transpose() * workspace.solution.y - problem.c;
    solution.sticking = workspace.set;
    changed = update_set(workspace.speed, workspace, solution.locks);
  }
  read_normals(problem, workspace.solution, solution);
  solution.sticking.resize(n, 0);
  read_tangents(problem, solution.sticking, workspace.solution, solution);
  solution.pivots = pivots;
}

}  // namespace pequod
