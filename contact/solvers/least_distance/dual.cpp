#include "contact/solvers/least_distance/dual.h"

#include "contact/solvers/least_distance/active_set_steps.h"
#include "contact/solvers/least_distance/block_pivoting.h"

namespace pequod {

void solve_dual(const LeastDistanceProblem& problem, const LeastDistanceOptions& options,
                std::span<const int> warm_start, LeastDistanceWorkspace& workspace,
                LeastDistanceSolution& solution) {
  if (solve_by_blocks(problem, options, warm_start, workspace.blocks, solution)) return;
  solve_by(take_dual_steps, problem, options, warm_start, workspace, solution);
}

}  // namespace pequod
