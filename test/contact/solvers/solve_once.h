#pragma once

#include "contact/solvers/least_distance/least_distance_workspace.h"

namespace pequod::test {

/// One solve with a workspace of its own.
[[nodiscard]] inline LeastDistanceSolution solve_once(LeastDistanceMethod* method,
                                                      const LeastDistanceProblem& problem,
                                                      const LeastDistanceOptions& options = {},
                                                      std::span<const int> warm_start = {}) {
  LeastDistanceWorkspace workspace;
  LeastDistanceSolution solution;
  method(problem, options, warm_start, workspace, solution);
  return solution;
}

}  // namespace pequod::test
