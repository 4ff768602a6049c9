#include "contact/solvers/dual.h"

#include "contact/solvers/active_set_steps.h"

namespace pequod {

void solve_dual(const LeastDistanceProblem& problem, const LeastDistanceOptions& options,
                std::span<const int> warm_start, LeastDistanceWorkspace& workspace,
                LeastDistanceSolution& solution) {
  LeastDistanceStatus status = begin(problem, options, warm_start, workspace, solution);
  if (status == LeastDistanceStatus::solved) status = take_dual_steps(options, workspace, solution);
  finish(problem, status, workspace, solution);
}

LeastDistanceSolution solve_dual(const LeastDistanceProblem& problem,
                                 const LeastDistanceOptions& options,
                                 std::span<const int> warm_start) {
  LeastDistanceWorkspace workspace;
  LeastDistanceSolution solution;
  solve_dual(problem, options, warm_start, workspace, solution);
  return solution;
}

}  // namespace pequod
