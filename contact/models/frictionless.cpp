#include "contact/models/contact_model.h"
#include "contact/models/least_distance_form.h"

namespace pequod {

void solve_frictionless(const ContactProblem& problem, const LeastDistanceSolver& solver,
                        std::span<const int> warm, ContactWorkspace& workspace,
                        ContactSolution& solution) {
  pose_normals(problem, workspace.problem);
  workspace.problem.k = 0;
  solver.solve(workspace.problem, {}, warm, workspace.solver, workspace.solution);
  read_normals(problem, workspace.solution, solution);
  solution.sticking.assign(static_cast<std::size_t>(problem.n), 0);
  solution.held.assign(2 * static_cast<std::size_t>(problem.n), 0);
  solution.rounds = 1;
  solution.locks = 0;
}

}  // namespace pequod
