// The true cone of Coulomb's law at the velocity level.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "contact/models/body_form.h"
#include "contact/models/by_loads.h"
#include "contact/models/contact_model.h"
#include "contact/models/friction_form.h"
#include "contact/models/least_distance_form.h"
#include "contact/models/lone_ball.h"
#include "contact/models/stuck.h"
#include "contact/solvers/friction/dense/coulomb_chain.h"

namespace pequod {
namespace {

FrictionOptions options_for(const ContactSolver& solver, int contacts) {
  FrictionOptions options;
  options.accepted = accepted_residual(solver, contacts);
  options.choice = solver.choice;
  return options;
}

// What the named solver does not solve, the default chain may.
void solve_cones_with_fallback(const ContactSolver& solver, int contacts,
                               ContactWorkspace& workspace, int& switches) {
  const auto with = [&](const decltype(FrictionSolver::solve)& solve) {
    solve(workspace.friction, options_for(solver, contacts), workspace.guess,
          workspace.friction_solver, workspace.friction_solution);
  };
  with(solver.friction);
  const FrictionSolver& chain = friction_solvers().front();
  if (workspace.friction_solution.status != SolveStatus::failed || solver.name == chain.name)
    return;
  ++switches;
  with(chain.solve);
}

void hold_sticking(const ContactProblem& problem, std::span<const FrictionMode> modes,
                   ContactSolution& solution) {
  for (int i = 0; i < problem.n; ++i) {
    const bool sticks = modes[i] == FrictionMode::stick && problem.friction[i] > 0.0;
    solution.sticking[i] = sticks;
    solution.held[2 * i] = solution.held[2 * i + 1] = sticks;
  }
}

// Of the residual that is accepted: what is aimed at. Piles that stand still creep by what is left.
constexpr double kAim = 1e-3;

// Of the motion without contact, in the norm of its energy: what impulses leave that hold all where
// it is. Those of the step before are carried on as forces in the world's frame, rounded each.
constexpr double kHeld = 1e-13;

// Times the sweeps of a problem that is solved by sweeps alone: with as many as others a few in a
// thousand of 1000 to 1500 contacts end just above the 1e-6 that is asked of them.
constexpr int kSweptAlone = 4;

// What the watch is shown is W, and measured with it.
void show_answer(const ContactProblem& problem, const ContactSolver& solver,
                 FrictionSolution& shown, ContactWorkspace& workspace) {
  pose_sparse_friction(problem, workspace, workspace.sparse);
  measure(workspace.sparse, shown);
  solver.watch.sparse(workspace.sparse, workspace.guess, shown);
}

void show_bodies(const ContactProblem& problem, const ContactSolver& solver,
                 ContactWorkspace& workspace) {
  if (!solver.watch.sparse) return;
  const BodyFrictionSolution& in = workspace.body_solution;
  FrictionSolution& answer = workspace.friction_solution;
  answer = {};
  answer.status = in.converged ? SolveStatus::solved : SolveStatus::failed;
  answer.r = in.r;
  answer.method = in.stage;
  answer.iterations = in.sweeps + in.factors;
  show_answer(problem, solver, answer, workspace);
}

// Whether an impulse is one that a contact at rest may have, if it has none where it is open.
bool may_hold(const ContactProblem& problem, int i, const double* r) {
  const double mu = problem.friction[i];
  if (r[0] == 0.0) return problem.c[i] <= 0.0 && r[1] == 0.0 && r[2] == 0.0;
  return problem.c[i] == 0.0 && r[0] > 0.0 && std::hypot(r[1], r[2]) <= mu * r[0];
}

// The impulses of the guess, at solution.y: whatever carries sticks.
void take_sticking(const ContactProblem& problem, const ContactSolver& solver, double residual,
                   ContactWorkspace& workspace, ContactSolution& solution) {
  FrictionSolution& answer = workspace.friction_solution;
  answer.status = SolveStatus::solved;
  answer.reason.clear();
  answer.modes.clear();
  answer.iterations = 0;
  answer.several = false;
  answer.r = Eigen::Map<const VectorXd>(workspace.guess.data(), std::ssize(workspace.guess));
  answer.method = "start";
  for (int i = 0; i < problem.n; ++i)
    answer.modes.push_back(answer.r[3 * i] > 0.0 ? FrictionMode::stick : FrictionMode::open);
  solution.usable = false;
  solution.status = SolveStatus::solved;
  solution.reason = "";
  solution.pivots = 0;
  solution.residual = residual;
  read_forces(problem, answer.r, solution);
  hold_sticking(problem, answer.modes, solution);
  if (solver.watch.sparse) show_answer(problem, solver, answer, workspace);
}

// Many contacts that stand: the impulses of the step before are a solution again if they are in
// their cones, stop all motion and belong to contacts that touch. Nothing needs to be posed for
// that.
bool stand_again(const ContactProblem& problem, const ContactSolver& solver,
                 ContactWorkspace& workspace, ContactSolution& solution) {
  if (problem.n < kManyResting || !problem.bound.empty() || problem.loops.rank() > 0) return false;
  guess_impulses(problem, workspace);
  const std::vector<double>& r = workspace.guess;
  if (r.empty()) return false;
  solution.y = problem.y;
  for (int i = 0; i < problem.n; ++i) {
    const double* own = r.data() + 3 * i;
    if (!may_hold(problem, i, own)) return false;
    problem.add_impulse(i, own, solution.y);
  }
  const double left = solution.y.norm(), free = problem.y.norm();
  if (!(left <= kHeld * free) || free == 0.0) return false;
  take_sticking(problem, solver, left / free, workspace, solution);
  return true;
}

// Contacts at limbs that carried and stuck: the motion of infinite friction, if its impulses are in
// their cones. Forces along independent rows are unique.
bool stick_again(const ContactProblem& problem, const ContactSolver& solver,
                 ContactWorkspace& workspace, ContactSolution& solution) {
  using Choice = FrictionOptions::Choice;
  if (!problem.has_basis || !problem.limbs.factored() || !problem.bound.empty() ||
      (problem.c.array() != 0.0).any() || solver.name != friction_solvers().front().name ||
      (solver.choice != Choice::automatic && solver.choice != Choice::first_found))
    return false;
  workspace.zero.setZero(problem.basis_rows());
  VectorXd& f = workspace.multipliers;
  solution.y = problem.y;
  problem.limbs.solve(workspace.zero, solution.y, f);
  workspace.guess.clear();
  for (int i = 0; i < problem.n; ++i) {
    const double* const tangential = f.data() + problem.n + 2 * i;
    workspace.guess.insert(workspace.guess.end(), {f[i], tangential[0], tangential[1]});
    if (!(f[i] > 0.0) || !may_hold(problem, i, workspace.guess.data() + workspace.guess.size() - 3))
      return false;
  }
  const double residual = worst_of(measure_on_limbs(problem, solution.y, f));
  if (!(residual <= LeastDistanceOptions{}.residual)) return false;
  take_sticking(problem, solver, residual, workspace, solution);
  return true;
}

// workspace.bodies, into workspace.body_solution.
// @param loaded  contacts that decide to what it is to be solved
void solve_bodies(const ContactSolver& solver, int loaded, ContactWorkspace& workspace) {
  BodyFrictionOptions options;
  options.enough = accepted_residual(solver, loaded);
  if (workspace.bodies.contacts() >= options.most_factored) options.sweeps *= kSweptAlone;
  options.tolerance = kAim * options.enough;
  solve_body_friction(workspace.bodies, options, workspace.guess, workspace.body_solver,
                      workspace.body_solution);
  if (solver.watch.bodies)
    solver.watch.bodies(workspace.bodies, options, workspace.guess, workspace.body_solution);
}

// From how many contacts on bodies are tried: where another choice of friction is asked for, from
// where on the chain makes none either.
int least_of_bodies(const ContactSolver& solver) {
  using Choice = FrictionOptions::Choice;
  const bool any = solver.choice == Choice::automatic || solver.choice == Choice::first_found;
  return any ? kBodyContacts : kManyContacts;
}

// Many contacts between bodies, in workspace.body_solution.
// @return  false if that is not what they are
bool try_bodies(const ContactProblem& problem, const ContactSolver& solver,
                ContactWorkspace& workspace) {
  if (!is_of_many_bodies(problem.n, problem.m, least_of_bodies(solver)) || !solver.sparse ||
      !pose_bodies(problem, workspace.bodies))
    return false;
  guess_impulses(problem, workspace);
  solve_bodies(solver, workspace.bodies.contacts(), workspace);
  return true;
}

std::string why_unsolved(const BodyFrictionSolution& in) {
  std::array<char, 120> text{};
  std::snprintf(text.data(), text.size(),
                "the natural map is %.1e of its scale, not %.1e, after %d sweeps and %d factors",
                in.residual.all, in.accepted, in.sweeps, in.factors);
  return text.data();
}

// The best iterate in any case: in the cones, and no gain of energy.
void read_bodies(const ContactProblem& problem, const ContactWorkspace& workspace,
                 ContactSolution& solution) {
  const BodyFrictionSolution& in = workspace.body_solution;
  solution.usable = !in.converged;
  solution.status = in.converged ? SolveStatus::solved : SolveStatus::failed;
  solution.reason = in.converged ? "" : why_unsolved(in);
  solution.pivots = in.sweeps + in.factors;
  solution.residual = in.residual.all;
  solution.y = in.y;
  read_forces(problem, in.r, solution);
  hold_sticking(problem, in.modes, solution);
}

// Many contacts by the sparse method. What it does not solve is left to the chain.
bool solve_sparse(const ContactProblem& problem, const ContactSolver& solver,
                  const VectorXd* pressed, ContactWorkspace& workspace) {
  if (problem.n < kManyContacts || !solver.sparse) return false;
  pose_sparse_friction(problem, workspace, workspace.sparse, pressed);
  guess_impulses(problem, workspace);
  solver.sparse(workspace.sparse, options_for(solver, problem.n), workspace.guess,
                workspace.friction_solver, workspace.friction_solution);
  return workspace.friction_solution.status == SolveStatus::solved;
}

// Friction that exceeds its bound goes back to it, and no contact pulls.
void put_into_cones(const VectorXd& mu, VectorXd& r) {
  for (Index i = 0; i < mu.size(); ++i) {
    r[3 * i] = std::max(r[3 * i], 0.0);
    auto tangent = r.segment<2>(3 * i + 1);
    const double bound = mu[i] * r[3 * i], force = tangent.norm();
    if (force > bound) tangent *= bound / force;
  }
}

// The modes of all contacts, of those of the chosen.
void spread_modes(const std::vector<char>& chosen, std::vector<FrictionMode>& modes) {
  std::vector<FrictionMode> all(chosen.size(), FrictionMode::open);
  auto from = modes.begin();
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i]) all[i] = *from++;
  modes.swap(all);
}

// An island in the coordinates of its bodies, into workspace.body_solution. Where sweeps alone
// solve it all contacts are posed: one that is apart costs them next to nothing, one that is found
// passed in the end another solve, of which a pile of 10 000 balls took ten a step.
void solve_in_bodies(const ContactProblem& problem, const ContactSolver& solver,
                     ContactWorkspace& workspace) {
  std::vector<char>& chosen = workspace.set;
  BodyFrictionSolution& out = workspace.body_solution;
  guess_impulses(problem, workspace);
  choose_contacts(problem, workspace.guess, chosen);
  const auto loaded = static_cast<int>(std::ranges::count(chosen, 1));
  if (loaded >= BodyFrictionOptions{}.most_factored) std::ranges::fill(chosen, 1);
  int sweeps = 0, factors = 0;
  do {
    pose_chosen_bodies(problem, chosen, workspace.bodies);
    pack_chosen(chosen, workspace.guess);
    solve_bodies(solver, loaded, workspace);
    sweeps += out.sweeps;
    factors += out.factors;
    out.r = spread_chosen(chosen, out.r, workspace.guess);
    spread_modes(chosen, out.modes);
  } while (add_passed(problem, out.y, chosen));
  out.sweeps = sweeps;
  out.factors = factors;
}

// Impulses of a solution without slip, where one was found, are loads to start from.
void guess_loads(const ContactSolution& solution, ContactWorkspace& workspace) {
  const auto none = [](double impulse) { return impulse == 0.0; };
  if (!std::ranges::all_of(workspace.guess, none) || solution.status != SolveStatus::solved) return;
  guess_from(solution, workspace);
}

// Masses that differ by far: what stands by methods without slip, what slides by its loads.
bool solve_uneven(const ContactProblem& problem, const ContactSolver& solver,
                  ContactWorkspace& workspace, ContactSolution& solution) {
  guess_impulses(problem, workspace);
  const bool by_loads = solver.choice != FrictionOptions::Choice::other;
  if (by_loads && slides_under(problem, workspace.guess) &&
      solve_by_loads(problem, workspace.guess, workspace, solution))
    return true;
  if (solve_stuck(problem, solver, true, workspace, solution)) return true;
  solution.switches = 0;
  guess_loads(solution, workspace);
  return by_loads && solve_by_loads(problem, workspace.guess, workspace, solution);
}

// @param pressed  if the impulses along the normals are known
void solve_cones(const ContactProblem& problem, const ContactSolver& solver,
                 const VectorXd* pressed, ContactWorkspace& workspace, ContactSolution& solution) {
  solution.switches = 0;
  if (!pressed && (stand_again(problem, solver, workspace, solution) ||
                   stick_again(problem, solver, workspace, solution)))
    return;
  // Another solver, and whoever is shown problems, is given this one as all others.
  const bool by_default = solver.name == friction_solvers().front().name && !solver.watch.any();
  if (!pressed && by_default && solve_lone_ball(problem, solution) &&
      solution.residual <= accepted_residual(solver, problem.n))
    return;
  if (problem.in_bodies()) {
    solve_in_bodies(problem, solver, workspace);
    show_bodies(problem, solver, workspace);
    read_bodies(problem, workspace, solution);
    return;
  }
  if (!pressed && try_bodies(problem, solver, workspace) &&
      (workspace.body_solution.converged || takes_best(problem, solver))) {
    show_bodies(problem, solver, workspace);
    read_bodies(problem, workspace, solution);
    return;
  }
  if (!pressed && masses_differ(problem) && solve_uneven(problem, solver, workspace, solution))
    return;
  solution.switches = 0;
  if (!solve_sparse(problem, solver, pressed, workspace)) {
    pose_friction(problem, true, workspace, pressed);
    guess_impulses(problem, workspace);
    solve_cones_with_fallback(solver, problem.n, workspace, solution.switches);
  }
  FrictionSolution& in = workspace.friction_solution;
  solution.usable = in.status == SolveStatus::failed && in.r.allFinite();
  if (solution.usable)
    put_into_cones(workspace.posed_sparse ? workspace.sparse.mu : workspace.friction.mu, in.r);
  solution.status = in.status;
  solution.reason = in.reason;
  solution.pivots = in.iterations;
  solution.residual = in.residuals.scaled;
  read_impulses(problem, in.r, workspace, solution);
  hold_sticking(problem, in.modes, solution);
  const auto slides = [&](int j) { return in.modes[problem.n + j] == FrictionMode::slide; };
  read_posed_joints(problem, in.r, slides, solution);
  if (solution.usable) give_no_energy(problem, solution);
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
