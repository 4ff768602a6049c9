// Maximum dissipation over true cones (Drumwright & Shell 2010, QP 1, after joint friction, QP 4).
#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "contact/models/body_form.h"
#include "contact/models/contact_model.h"
#include "contact/models/friction_form.h"
#include "contact/models/least_distance_form.h"
#include "contact/models/most_dissipation.h"
#include "contact/models/stuck.h"

namespace pequod {
namespace {

// Share of all motion that an impact is judged by if its contacts feel less, as of a ball that
// spins about its normal: the energy that the interior point method may leave is a share of that.
// Their velocities are known to 1e-16 of all, so to 1e-10 of this.
constexpr double kFeltMotion = 1e-6;
// Of the motion before: what is left of its energy then is a rounding.
constexpr double kStopped = 1e-8;

// Of the energy before, and of κ: ten times what QP 1 may push more than κ.
constexpr double kAsWell = 1e-6;

// Of what is accepted: what the interior point method aims at, and phase I before it, whose
// impulses bound what it may do.
constexpr double kAimOfPhaseOne = 1e-3, kAimOfBodies = 1e-1;

// h μv |u_t| with u_t before contact: what viscous friction widens a disc by, N·s.
void widen(const ContactProblem& problem, const FrictionProblem& posed, VectorXd& width) {
  width.setZero(problem.n);
  for (int i = 0; i < problem.n; ++i) {
    if (!problem.limit[i])
      width[i] = problem.step * problem.viscous[i] * posed.q.segment<2>(3 * i + 1).norm();
  }
  if (width.isZero(0.0)) width.resize(0);
}

// With κ as tight as it may be; where the set of impulses is then too thin for the interior point
// method, looser by ten, a hundred, a thousand times, each counted.
void solve_loosened(const ContactSolver& solver, ContactWorkspace& workspace, int& switches) {
  constexpr double kTight = 1e-7;
  for (double slack = kTight; slack < 2e-4; slack *= 10.0) {
    workspace.dissipation_options.slack = slack;
    solver.dissipation(workspace.friction, workspace.dissipation_options,
                       workspace.dissipation_solver, workspace.dissipation);
    if (workspace.dissipation.status != SolveStatus::failed) return;
    ++switches;
  }
}

// Whether viscous friction widens a disc.
bool widens(const ContactProblem& problem) {
  return std::ranges::any_of(problem.viscous,
                             [&](double viscous) { return problem.step * viscous > 0.0; });
}

// A solution of Coulomb's law, whose impulses keep the same cones and which needs no energies, is
// asked first: energies tell the root of what they leave of velocities, and nothing of a light body
// among heavy ones.
bool solves_coulomb(const ContactProblem& problem, const ContactSolver& unwatched,
                    ContactWorkspace& workspace, ContactSolution& coulomb) {
  solve_coulomb_cones(problem, unwatched, {}, workspace, coulomb);
  return coulomb.status == SolveStatus::solved;
}

// Whether Coulomb's impulses leave no more energy than any others, proven by multipliers, or where
// masses differ by far by rest: impulses that stop all bodies may push harder than without friction
// only where that would have left the bodies in motion.
bool leaves_least(const ContactProblem& problem, const ContactSolver& unwatched,
                  const ContactSolution& coulomb, bool uneven, ContactWorkspace& workspace) {
  return (uneven && coulomb.y.norm() <= kStopped * problem.y.norm()) ||
         (!widens(problem) &&
          dissipates_most(problem, unwatched.least_distance, coulomb, workspace));
}

// The same by what the interior point method has found, to what its own slack is worth.
bool does_as_well(const ContactProblem& problem, const ContactSolution& coulomb,
                  const MaximumDissipationSolution& found, const ContactSolution& solution) {
  if (found.status == SolveStatus::failed) return true;
  return !widens(problem) && coulomb.fn.sum() <= (1.0 + kAsWell) * found.kappa &&
         coulomb.y.squaredNorm() <= solution.y.squaredNorm() + kAsWell * problem.y.squaredNorm();
}

// The last resort: Coulomb's law itself, whose impulses keep the same cones and add no energy.
void solve_as_coulomb(const ContactSolver& solver, ContactWorkspace& workspace) {
  FrictionSolution& in = workspace.friction_solution;
  solver.friction(workspace.friction, {}, {}, workspace.friction_solver, in);
  MaximumDissipationSolution& out = workspace.dissipation;
  out.status = in.status;
  out.reason = in.reason;
  out.r = in.r;
  out.penetration = out.cone = out.gap = in.residuals.scaled;
}

// Phase I of workspace.bodies, Coulomb's law without friction, from the normal impulses of the
// guess. @return  what counts as solved
double press_bodies(const ContactSolver& solver, ContactWorkspace& workspace) {
  BodyProblem& bodies = workspace.bodies;
  const std::vector<double> friction = bodies.mu;
  std::ranges::fill(bodies.mu, 0.0);
  BodyFrictionOptions first;
  first.enough = accepted_residual(solver, bodies.contacts());
  first.tolerance = kAimOfPhaseOne * first.enough;
  first.most_factored = std::numeric_limits<int>::max();  // convex: Newton's method leads there
  solve_body_friction(bodies, first, workspace.guess, workspace.body_solver,
                      workspace.body_solution);
  bodies.mu = friction;
  return first.enough;
}

// QP 1 of workspace.bodies, after phase I.
// @param names  of the contacts in `point`, where the method starts and goes on
// @return  false if friction of a contact has no bound
bool dissipate_pressed(double accepted, std::span<const int> names, DissipationPoint& point,
                       ContactWorkspace& workspace) {
  const BodyProblem& bodies = workspace.bodies;
  VectorXd normal(bodies.contacts());
  for (int i = 0; i < bodies.contacts(); ++i) normal[i] = workspace.body_solution.r[3 * i];
  MaximumDissipationOptions options;
  options.accepted = accepted;
  options.tolerance = kAimOfBodies * accepted;
  MaximumDissipationSolution& out = workspace.dissipation;
  if (!solve_body_dissipation(bodies, normal, options, names, point, workspace.body_dissipation,
                              out))
    return false;
  if (!workspace.body_solution.converged && out.status == SolveStatus::solved) {
    out.status = SolveStatus::failed;
    out.reason = "phase I, which bounds the normal impulses, is not solved to the tolerance";
  }
  return true;
}

// Both of many contacts between bodies, in the bodies' coordinates.
// @return  false if that is not what they are
bool dissipate_bodies(const ContactProblem& problem, const ContactSolver& solver,
                      ContactWorkspace& workspace) {
  if (!is_of_many_bodies(problem.n, problem.m) || widens(problem) ||
      !pose_bodies(problem, workspace.bodies))
    return false;
  guess_impulses(problem, workspace);
  return dissipate_pressed(press_bodies(solver, workspace), {}, workspace.dissipation_point,
                           workspace);
}

// What is short of a solution stays in the cones and gains nothing all the same.
void read_dissipated(const ContactProblem& problem, const ContactWorkspace& workspace,
                     ContactSolution& solution) {
  const MaximumDissipationSolution& in = workspace.dissipation;
  solution.status = in.status;
  solution.usable = in.status == SolveStatus::failed;
  solution.reason = in.reason;
  solution.pivots = in.iterations;
  solution.switches = 0;
  solution.residual =
      std::max({in.penetration, in.cone, in.gap, workspace.body_solution.residual.all});
  solution.y = workspace.body_dissipation.y.head(problem.m);
  read_forces(problem, in.r, solution);
  hold_what_sticks(problem, solution);
}

// An island in the coordinates of its bodies. Phase I, which is cheap, finds nearly all contacts
// that QP 1 needs.
void dissipate_in_bodies(const ContactProblem& problem, const ContactSolver& solver,
                         ContactWorkspace& workspace, ContactSolution& solution) {
  std::vector<char>& chosen = workspace.set;
  guess_impulses(problem, workspace);
  choose_contacts(problem, workspace.guess, chosen);
  workspace.dissipation_point.reset(problem.n);
  std::vector<int> names;
  int iterations = 0;
  do {
    double accepted = 0.0;
    do {
      pose_chosen_bodies(problem, chosen, workspace.bodies);
      pack_chosen(chosen, workspace.guess);
      accepted = press_bodies(solver, workspace);
      spread_chosen(chosen, workspace.body_solution.r, workspace.guess);
    } while (add_passed(problem, workspace.body_solution.y, chosen));
    name_chosen(chosen, names);
    if (!dissipate_pressed(accepted, names, workspace.dissipation_point, workspace))
      throw std::logic_error("dissipate_in_bodies: friction without bound");
    iterations += workspace.dissipation.iterations;
  } while (add_passed(problem, workspace.body_dissipation.y, chosen));
  workspace.dissipation.iterations = iterations;
  workspace.dissipation.r = spread_chosen(chosen, workspace.dissipation.r, workspace.guess);
  read_dissipated(problem, workspace, solution);
}

// QP 4: joint friction acts on the predicted velocities, before contact.
SolveStatus stop_joints(ContactProblem& problem, const ContactSolver& solver,
                        ContactWorkspace& workspace) {
  pose_normals(problem, workspace.problem);
  workspace.problem.k = workspace.problem.n = 0;
  solve_with_joints(problem, solver.least_distance, {}, true, workspace);
  problem.y = workspace.solution.y;
  return workspace.solution.status;
}

// QP 1 on W.
void dissipate_densely(const ContactProblem& problem, const ContactSolver& solver,
                       ContactWorkspace& workspace, ContactSolution& solution) {
  solution.switches = 0;
  pose_friction(problem, false, workspace);
  if (problem.step <= 0.0) workspace.friction.scale *= kFeltMotion;
  widen(problem, workspace.friction, workspace.dissipation_options.width);
  solve_loosened(solver, workspace, solution.switches);
}

void read_dense(const ContactProblem& problem, ContactWorkspace& workspace,
                ContactSolution& solution) {
  const MaximumDissipationSolution& in = workspace.dissipation;
  solution.status = in.status;
  solution.reason = in.reason;
  solution.pivots = in.iterations;
  solution.residual = std::max({in.penetration, in.cone, in.gap});
  read_impulses(problem, in.r, workspace, solution);
  hold_what_sticks(problem, solution);
}

}  // namespace

void solve_drumwright_shell(const ContactProblem& given, const ContactSolver& solver,
                            std::span<const int> /*warm*/, ContactWorkspace& workspace,
                            ContactSolution& solution) {
  const ContactProblem* posed = &given;
  if (!given.bound.empty()) {
    workspace.without_joints = given;
    posed = &workspace.without_joints;
    solution.status = stop_joints(workspace.without_joints, solver, workspace);
    solution.reason = workspace.solution.reason;
    if (solution.status != SolveStatus::solved) return;
  }
  const ContactProblem& problem = *posed;
  if (problem.in_bodies()) return dissipate_in_bodies(problem, solver, workspace, solution);
  solution.switches = 0;
  if (problem.n == 0) {
    pose_friction(problem, false, workspace);
    read_impulses(problem, VectorXd(), workspace, solution);
    read_joints(problem, workspace, solution);
    solution.pivots = 0;
    solution.residual = 0.0;
    return;
  }
  if (dissipate_bodies(problem, solver, workspace) &&
      (workspace.dissipation.status != SolveStatus::failed || takes_best(problem, solver)))
    return read_dissipated(problem, workspace, solution);
  const bool uneven = masses_differ(problem);
  static const ContactSolver unwatched = make_contact_solver(SolverFamily::friction, "");
  ContactSolution coulomb;
  const bool obeyed = given.bound.empty() && (uneven || !widens(problem)) &&
                      solves_coulomb(problem, unwatched, workspace, coulomb);
  const bool least = obeyed && leaves_least(problem, unwatched, coulomb, uneven, workspace);
  // Whoever records problems is to find QP 1 among them, whoever has solved it.
  if (!least || solver.watch.any()) dissipate_densely(problem, solver, workspace, solution);
  coulomb.switches = 0;
  if (!least) {
    if (!(obeyed && uneven) && workspace.dissipation.status == SolveStatus::failed)
      solve_as_coulomb(solver, workspace);
    read_dense(problem, workspace, solution);
    coulomb.switches = solution.switches;
  }
  if (least ||
      (obeyed && uneven && does_as_well(problem, coulomb, workspace.dissipation, solution)))
    solution = std::move(coulomb);
  if (!given.bound.empty()) read_moved_joints(given, workspace, solution);
}

}  // namespace pequod
