// What is done with a contact problem that its solver did not solve to its tolerance.
#pragma once

#include <span>
#include <string_view>

#include "simulation/step_stats.h"
#include "simulation/world.h"

namespace pequod {

/// A problem that was to be solved.
struct PosedSolve {
  std::string_view what;  ///< for the message
  int contacts;
  double t;  ///< s
};

/// How its solve ended.
struct SolveEnd {
  SolveStatus status;
  bool usable;              ///< as of ContactSolution
  double residual;          ///< relative
  std::string_view reason;  ///< why it is not solved
};

/// Of a ContactSolution or an ImpactSolution.
template <typename Solution>
[[nodiscard]] SolveEnd end_of(const Solution& solution) {
  return {solution.status, solution.usable, solution.residual, solution.reason};
}

/// Takes what was found: the solution, or unless `contact.unsolved` says stop the best iterate if
/// it is usable, which is counted.
/// @return  statistics of nothing else
/// @throws ContactError  if there is nothing to take
StepStats take_solution(const World& world, const PosedSolve& posed, const SolveEnd& end);

/// Solves by the model of the run, and takes what that finds. @param what, t  as of PosedSolve
StepStats solve_by_model(const World& world, const ContactProblem& problem,
                         std::span<const int> warm, std::string_view what, double t,
                         ContactWorkspace& workspace, ContactSolution& solution);

}  // namespace pequod
