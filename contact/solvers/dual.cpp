#include "contact/solvers/dual.h"

#include "contact/solvers/active_set_steps.h"

namespace pequod {

void solve_dual(const LeastDistanceProblem& problem, const LeastDistanceOptions& options,
                std::span<const int> warm_start, LeastDistanceWorkspace& workspace,
                LeastDistanceSolution& solution) {
  solve_by(take_dual_steps, problem, options, warm_start, workspace, solution);
}

LeastDistanceSolution solve_dual(const LeastDistanceProblem& problem,
                                 const LeastDistanceOptions& options,
                                 std::span<const int> warm_start) {
  return solve_by(take_dual_steps, problem, options, warm_start);
}

}  // namespace pequod
