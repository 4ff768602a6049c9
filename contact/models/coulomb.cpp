// The true cone of Coulomb's law at the velocity level.
#include "contact/models/contact_model.h"
#include "contact/models/friction_form.h"

namespace pequod {
namespace {

// What the named solver does not solve, the default chain may.
void solve_cones_with_fallback(const ContactSolver& solver, ContactWorkspace& workspace,
                               int& switches) {
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

// From here on the sparse method goes first: measured on packings of spheres, it takes 0.8 of the
// time of the dense chain at 24 contacts, a tenth at 150 and a fiftieth at 500.
constexpr int kMany = 100;

// Many contacts by the sparse method. What it does not solve is left to the chain.
bool solve_sparse(const ContactProblem& problem, const ContactSolver& solver,
                  const VectorXd* pressed, ContactWorkspace& workspace) {
  if (problem.n < kMany || !solver.sparse) return false;
  pose_sparse_friction(problem, workspace, workspace.sparse, pressed);
  guess_impulses(problem, workspace);
  solver.sparse(workspace.sparse, {}, workspace.guess, workspace.sparse_solver,
                workspace.friction_solution);
  return workspace.friction_solution.status == FrictionStatus::solved;
}

// @param pressed  if the impulses along the normals are known
void solve_cones(const ContactProblem& problem, const ContactSolver& solver,
                 const VectorXd* pressed, ContactWorkspace& workspace, ContactSolution& solution) {
  solution.switches = 0;
  if (!solve_sparse(problem, solver, pressed, workspace)) {
    pose_friction(problem, true, workspace, pressed);
    guess_impulses(problem, workspace);
    solve_cones_with_fallback(solver, workspace, solution.switches);
  }
  const FrictionSolution& in = workspace.friction_solution;
  solution.status = verdict(in.status);
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
  const auto slides = [&](int j) {
    return in.modes[static_cast<std::size_t>(problem.n + j)] == FrictionMode::slide;
  };
  read_posed_joints(problem, in.r, slides, solution);
}

// What repeats is for the methods that end on exact modes.
ContactSolver dense_chain() {
  ContactSolver solver = make_contact_solver(SolverFamily::friction, "");
  solver.sparse = nullptr;
  return solver;
}

}  // namespace

void solve_coulomb_cones(const ContactProblem& problem, const ContactSolver& solver,
                         std::span<const int> /*warm*/, ContactWorkspace& workspace,
                         ContactSolution& solution) {
  solve_cones(problem, solver, nullptr, workspace, solution);
}

void rub_in_cones(const ContactProblem& problem, const ContactSolver& solver,
                  const VectorXd& pressed, ContactWorkspace& workspace, ContactSolution& solution) {
  solve_cones(problem, solver, &pressed, workspace, solution);
  solution.fn.setZero(problem.n);
}

void solve_by_last_resort(const ContactProblem& problem, int switches, ContactWorkspace& workspace,
                          ContactSolution& solution) {
  solve_cones(problem, dense_chain(), nullptr, workspace, solution);
  solution.switches = switches + 1;
}

void rub_by_last_resort(const ContactProblem& problem, const VectorXd& pressed,
                        ContactWorkspace& workspace, ContactSolution& solution) {
  rub_in_cones(problem, dense_chain(), pressed, workspace, solution);
  ++solution.switches;
}

}  // namespace pequod
