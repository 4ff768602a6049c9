#include "simulation/taken_solution.h"

#include <fmt/format.h>

#include "contact/models/contact_model.h"
#include "simulation/errors.h"

namespace pequod {

StepStats take_solution(const World& world, const PosedSolve& posed, const SolveEnd& end) {
  StepStats stats;
  if (end.status == SolveStatus::solved) return stats;
  if (!may_take(end, world.solver))
    throw ContactError(fmt::format(
        "solver '{}' did not solve the {} {} of {} contacts at t = {:.6f} s: {}", world.solver.name,
        world.contact.name, posed.what, posed.contacts, posed.t, end.reason));
  stats.unsolved = 1;
  stats.worst_unsolved = {end.residual, posed.contacts, posed.t};
  return stats;
}

StepStats solve_by_model(const World& world, const ContactProblem& problem,
                         std::span<const int> warm, std::string_view what, double t,
                         ContactWorkspace& workspace, ContactSolution& solution) {
  solution.usable = false;
  world.contact.solve(problem, world.solver, warm, workspace, solution);
  return take_solution(world, {what, problem.n, t}, end_of(solution));
}

}  // namespace pequod
