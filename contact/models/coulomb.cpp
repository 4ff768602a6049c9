// The true cone of Coulomb's law at the velocity level.
#include "contact/models/contact_model.h"
#include "contact/models/friction_form.h"

namespace pequod {
namespace {

LeastDistanceStatus status_of(FrictionStatus status) {
  switch (status) {
    case FrictionStatus::solved:
      return LeastDistanceStatus::solved;
    case FrictionStatus::no_solution:
      return LeastDistanceStatus::no_solution;
    case FrictionStatus::failed:
      break;
  }
  return LeastDistanceStatus::failed;
}

// What the named solver does not solve, the default chain may.
void solve_with_fallback(const ContactSolver& solver, ContactWorkspace& workspace, int& switches) {
  const auto with = [&](const SolveFriction& solve) {
    solve(workspace.friction, {}, workspace.guess, workspace.friction_solver,
          workspace.friction_solution);
  };
  with(solver.friction);
  const FrictionSolver& chain = friction_solvers().front();
  if (workspace.friction_solution.status != FrictionStatus::failed || solver.name == chain.name)
    return;
  ++switches;
  with(chain.solve);
}

}  // namespace

void solve_coulomb_cones(const ContactProblem& problem, const ContactSolver& solver,
                         std::span<const int> /*warm*/, ContactWorkspace& workspace,
                         ContactSolution& solution) {
  pose_friction(problem, true, workspace);
  guess_impulses(problem, workspace);
  solution.switches = 0;
  solve_with_fallback(solver, workspace, solution.switches);
  const FrictionSolution& in = workspace.friction_solution;
  solution.status = status_of(in.status);
  solution.reason = in.reason;
  solution.pivots = in.iterations;
  solution.residual = in.residuals.scaled;
  read_impulses(problem, in.r, workspace, solution);
  for (std::size_t i = 0; i < static_cast<std::size_t>(problem.n); ++i) {
    const bool sticks =
        in.modes[i] == FrictionMode::stick && !problem.limit[i] && problem.friction[i] > 0.0;
    solution.sticking[i] = sticks;
    solution.held[2 * i] = solution.held[2 * i + 1] = sticks;
  }
  for (std::size_t j = 0; j < problem.bound.size(); ++j) {
    const auto row = static_cast<Eigen::Index>(3 * (static_cast<std::size_t>(problem.n) + j) + 1);
    const double force = in.r[row];
    const bool slides = in.modes[static_cast<std::size_t>(problem.n) + j] == FrictionMode::slide;
    solution.slide.push_back(!slides ? 0 : force > 0.0 ? -1 : 1);
    solution.fj.push_back(force);
  }
}

}  // namespace pequod
