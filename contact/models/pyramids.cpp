// Friction cones as pyramids, linear complementarity problems (Stewart & Trinkle 1996, Anitescu &
// Potra 1997).
#include <algorithm>
#include <cmath>
#include <vector>

#include "contact/models/body_form.h"
#include "contact/models/contact_model.h"
#include "contact/models/friction_form.h"
#include "contact/models/stuck.h"

namespace pequod {
namespace {

// What the named solver does not solve, the default one may.
void solve_pyramids_with_fallback(const ContactSolver& solver, ContactWorkspace& workspace,
                                  int& switches) {
  const auto with = [&](const decltype(LcpSolver::solve)& solve) {
    solve(workspace.pyramids, {}, {}, workspace.lcp_solver, workspace.lcp_solution);
  };
  with(solver.lcp);
  const LcpSolver& first = lcp_solvers().front();
  if (workspace.lcp_solution.status == SolveStatus::solved || solver.name == first.name) return;
  ++switches;
  with(first.solve);
}

// Contacts from which on the matrix of pyramids, of (edges + 2)² entries for each two contacts, is
// too large to make up for what sweeps leave.
constexpr int kManyPyramids = 200;

// The contacts of the problem that take part, and the joints behind them: with `lifted` all, else
// those that touch.
std::vector<int> choose_contacts(const ContactProblem& problem, Index all, bool lifted) {
  std::vector<int> chosen;
  for (int i = 0; i < all; ++i)
    if (lifted || i >= problem.n || problem.c[i] >= 0.0) chosen.push_back(i);
  return chosen;
}

// Those contacts in contact units, ρ = r/d and û = d u with d = (tr W_ii/3)^−½: pivots and
// residuals are judged by the largest entry of a matrix, which would else be that of the lightest
// body.
// @param units  gets d of each row
FrictionContacts take_contacts(const FrictionProblem& posed, const std::vector<int>& chosen,
                               VectorXd& units) {
  std::vector<int> rows;
  units.resize(3 * static_cast<Index>(chosen.size()));
  for (const int i : chosen) {
    const double trace = posed.W.diagonal().segment<3>(3 * i).sum();
    units.segment<3>(static_cast<Index>(rows.size()))
        .setConstant(trace > 0.0 ? std::sqrt(3.0 / trace) : 1.0);
    rows.insert(rows.end(), {3 * i, 3 * i + 1, 3 * i + 2});
  }
  FrictionContacts taken{posed.W(rows, rows), posed.q(rows),
                         posed.mu(chosen).cwiseMin(kNoSlipFriction)};
  taken.W = units.asDiagonal() * taken.W * units.asDiagonal();
  taken.q.array() *= units.array();
  return taken;
}

// What was found, as impulses.
void read_pyramids(const ContactProblem& problem, const std::vector<int>& chosen,
                   const VectorXd& units, int edges, ContactWorkspace& workspace,
                   ContactSolution& solution) {
  const LcpSolution& in = workspace.lcp_solution;
  solution.status = in.status;
  solution.reason = in.reason;
  solution.pivots = in.pivots;
  solution.residual = in.residuals.relative;
  const auto count = static_cast<Index>(chosen.size());
  const VectorXd part = units.cwiseProduct(pyramid_impulses(in.z, count, edges));
  VectorXd r = VectorXd::Zero(workspace.friction.q.size());
  for (Index i = 0; i < count; ++i) r.segment<3>(3 * chosen[i]) = part.segment<3>(3 * i);
  read_impulses(problem, r, workspace, solution);
  hold_what_sticks(problem, solution);
  const auto slides = [&](int j) {
    return std::abs(r[3 * (problem.n + j) + 1]) >= (1.0 - kNegligible) * problem.bound[j];
  };
  read_posed_joints(problem, r, slides, solution);
}

// Solves what is posed for the chosen contacts. @return false if no solver does
bool solve_chosen(const ContactProblem& problem, const ContactSolver& solver,
                  const std::vector<int>& chosen, ContactWorkspace& workspace,
                  ContactSolution& solution) {
  VectorXd units;
  workspace.pyramids = pyramid_lcp(take_contacts(workspace.friction, chosen, units), solver.edges);
  solution.switches = 0;
  solve_pyramids_with_fallback(solver, workspace, solution.switches);
  // Bodies that all stand still satisfy every condition, so there are impulses: a proof that there
  // are none is rounding, as of masses 1 : 1e8.
  if (workspace.lcp_solution.status != SolveStatus::solved) return false;
  read_pyramids(problem, chosen, units, solver.edges, workspace, solution);
  return true;
}

// workspace.bodies, the chosen contacts of the problem, from their last impulses. The solution gets
// impulses of all.
void sweep_pyramids(const ContactProblem& problem, const ContactSolver& solver,
                    const std::vector<char>& chosen, ContactWorkspace& workspace) {
  BodyPyramidOptions options;
  options.edges = solver.edges;
  options.tolerance = accepted_residual(solver, problem.n);
  pack_chosen(chosen, workspace.guess);
  solve_body_pyramids(workspace.bodies, options, workspace.guess, workspace.body_pyramids,
                      workspace.pyramid_solution);
  workspace.pyramid_solution.r =
      spread_chosen(chosen, workspace.pyramid_solution.r, workspace.guess);
}

// Many contacts between bodies, in the bodies' coordinates, where no matrix is formed.
// @return  false if that is not what they are
bool sweep_bodies(const ContactProblem& problem, const ContactSolver& solver, bool lifted,
                  ContactWorkspace& workspace) {
  if (!is_of_many_bodies(problem.n, problem.m) || solver.name != lcp_solvers().front().name)
    return false;
  std::vector<char>& chosen = workspace.set;
  chosen.assign(problem.n, 0);
  for (const int i : choose_contacts(problem, problem.n, lifted)) chosen[i] = 1;
  if (!pose_bodies(problem, workspace.bodies, chosen)) return false;
  guess_impulses(problem, workspace);
  sweep_pyramids(problem, solver, chosen, workspace);
  return true;
}

// An island in the coordinates of its bodies.
void sweep_in_bodies(const ContactProblem& problem, const ContactSolver& solver, bool lifted,
                     ContactWorkspace& workspace) {
  std::vector<char>& chosen = workspace.set;
  guess_impulses(problem, workspace);
  choose_contacts(problem, workspace.guess, chosen);
  for (int i = 0; i < problem.n && !lifted; ++i) chosen[i] = problem.c[i] >= 0.0;
  int sweeps = 0;
  do {
    pose_chosen_bodies(problem, chosen, workspace.bodies);
    sweep_pyramids(problem, solver, chosen, workspace);
    sweeps += workspace.pyramid_solution.sweeps;
  } while (lifted && add_passed(problem, workspace.pyramid_solution.y, chosen));
  workspace.pyramid_solution.sweeps = sweeps;
}

// What is short of a solution stays in its pyramids and gains nothing all the same.
void read_swept(const ContactProblem& problem, const ContactWorkspace& workspace,
                ContactSolution& solution) {
  const BodyPyramidSolution& in = workspace.pyramid_solution;
  solution.status = in.converged ? SolveStatus::solved : SolveStatus::failed;
  solution.usable = !in.converged;
  solution.reason = in.converged ? "" : "sweeps over the bodies do not reach the tolerance";
  solution.pivots = in.sweeps;
  solution.switches = 0;
  solution.residual = in.residual;
  solution.y = in.y;
  read_forces(problem, in.r, solution);
  hold_what_sticks(problem, solution);
  if (solution.usable) give_no_energy(problem, solution);
}

void solve_pyramids(const ContactProblem& problem, const ContactSolver& solver, bool lifted,
                    ContactWorkspace& workspace, ContactSolution& solution) {
  if (problem.in_bodies()) {
    sweep_in_bodies(problem, solver, lifted, workspace);
    return read_swept(problem, workspace, solution);
  }
  if (sweep_bodies(problem, solver, lifted, workspace) &&
      (workspace.pyramid_solution.converged ||
       (problem.n >= kManyPyramids && takes_best(problem, solver))))
    return read_swept(problem, workspace, solution);
  const bool differ = masses_differ(problem);
  if (differ && solve_stuck(problem, solver, lifted, workspace, solution)) return;
  pose_friction(problem, true, workspace);
  const std::vector<int> chosen = choose_contacts(problem, workspace.friction.mu.size(), lifted);
  if (solve_chosen(problem, solver, chosen, workspace, solution)) return;
  const int switches = solution.switches;
  if (!differ && solve_stuck(problem, solver, lifted, workspace, solution))
    solution.switches = switches + 1;
  else
    solve_by_last_resort(problem, switches, workspace, solution);
}

}  // namespace

void solve_stewart_trinkle(const ContactProblem& problem, const ContactSolver& solver,
                           std::span<const int> /*warm*/, ContactWorkspace& workspace,
                           ContactSolution& solution) {
  solve_pyramids(problem, solver, true, workspace, solution);
}

void solve_anitescu_potra(const ContactProblem& problem, const ContactSolver& solver,
                          std::span<const int> /*warm*/, ContactWorkspace& workspace,
                          ContactSolution& solution) {
  solve_pyramids(problem, solver, false, workspace, solution);
}

void rub_in_pyramids(const ContactProblem& problem, const ContactSolver& solver,
                     const VectorXd& pressed, ContactWorkspace& workspace,
                     ContactSolution& solution) {
  pose_friction(problem, true, workspace, &pressed);
  const std::vector<int> all = choose_contacts(problem, workspace.friction.mu.size(), true);
  if (!solve_chosen(problem, solver, all, workspace, solution))
    return rub_by_last_resort(problem, pressed, workspace, solution);
  solution.fn.setZero(problem.n);
}

}  // namespace pequod
