#include "contact/models/contact_model.h"
#include "contact/models/least_distance_form.h"

namespace pequod {

void solve_frictionless(const ContactProblem& problem, const LeastDistanceSolver& solver,
                        std::span<const int> warm, ContactWorkspace& workspace,
                        ContactSolution& solution) {
  pose_normals(problem, workspace.problem);
  workspace.problem.k = 0;
  solve_with_joints(problem, solver, warm, true, workspace);
  read_normals(problem, workspace.solution, solution);
  read_joints(problem, workspace, solution);
  solution.sticking.assign(problem.n, 0);
  solution.held.assign(2 * problem.n, 0);
  solution.rounds = 1;
  solution.locks = 0;
}

}  // namespace pequod
