#include "contact/solvers/reference/ppm.h"

#include <algorithm>

#include "contact/solvers/complementarity/lcp_least_distance.h"
#include "contact/solvers/least_distance/active_set_steps.h"

namespace pequod {

namespace {

/// A 64-bit mix of one row number (Steele, Lea & Flood 2014, SplitMix). The hash of a set is the
/// exclusive or of its rows, so their order does not count. Two sets of one hash would only start
/// the dual steps early.
std::uint64_t mix(int row) {
  std::uint64_t x = (static_cast<std::uint64_t>(row) + 1) * 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// Notes the present set; true if it has been met before.
bool seen_before(LeastDistanceWorkspace& workspace) {
  std::uint64_t hash = 0;
  for (const int row : workspace.factor.rows()) hash ^= mix(row);
  std::vector<std::uint64_t>& seen = workspace.seen;
  if (std::ranges::find(seen, hash) != seen.end()) return true;
  seen.push_back(hash);
  return false;
}

enum class Move { done, moved, stuck };

/// One pass through the loop of Algorithm 1; the comments give its line numbers.
Move pivot(const LeastDistanceOptions& options, LeastDistanceWorkspace& workspace,
           LeastDistanceSolution& solution) {
  const ReducedProblem& problem = workspace.problem;
  ActiveSetFactor& B = workspace.factor;
  solve_on_active_set(workspace);  // 10–14
  const int i = problem.most_violated(workspace.y, options.violated * problem.scale(),
                                      [&](auto row) { return B.contains(row); });  // 15
  const Index j =
      most_negative_multiplier(workspace, options.negative * problem.scale());  // 17, 34
  if (i < 0 && j < 0) return Move::done;                                        // 25
  if (i >= 0) {                                                                 // 32
    problem.unit_row(i, workspace.g);
    if (B.split(workspace.g.head(problem.dimension())) <= dependence_bound(i, options, workspace))
      return Move::stuck;
    B.append(i);
    ++solution.pivots;
  }
  if (j >= 0) remove_row(j, workspace, solution);  // 21, 37
  return Move::moved;
}

SolveStatus take_principal_pivots(const LeastDistanceOptions& options,
                                  LeastDistanceWorkspace& workspace,
                                  LeastDistanceSolution& solution) {
  const int limit = pivot_limit(options, workspace);
  workspace.seen.clear();
  workspace.seen.reserve(static_cast<std::size_t>(limit) + 1);
  Move move = Move::moved;
  while (move == Move::moved) {
    const bool again = solution.pivots >= limit || seen_before(workspace);
    move = again ? Move::stuck : pivot(options, workspace, solution);
  }
  if (move == Move::done) return SolveStatus::solved;
  ++solution.switches;
  solve_on_active_set(workspace);
  return take_dual_steps(options, workspace, solution);
}

}  // namespace

void solve_ppm(const LeastDistanceProblem& problem, const LeastDistanceOptions& options,
               std::span<const int> warm_start, LeastDistanceWorkspace& workspace,
               LeastDistanceSolution& solution) {
  solve_by(take_principal_pivots, problem, options, warm_start, workspace, solution);
}

void solve_lcp_by_ppm(const LcpProblem& problem, const LcpOptions& options,
                      const VectorXd& warm_start, LcpWorkspace& workspace, LcpSolution& solution) {
  solve_lcp_by_least_distance(solve_ppm, "ppm", problem, options, warm_start, workspace, solution);
}

}  // namespace pequod
