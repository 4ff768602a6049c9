#include "contact/models/by_loads.h"

#include <cmath>
#include <limits>

#include "contact/models/friction_form.h"
#include "contact/models/stuck.h"

namespace pequod {
namespace {

// Of μ f_n: friction this near to it is that of a slide, rounded as a force in the world's frame.
constexpr double kAtBound = 1e-9;

double friction_of(const ContactProblem& problem, int i) {
  const double mu = problem.friction[i];
  return mu >= kNoSlipFriction ? std::numeric_limits<double>::infinity() : mu;
}

// G by out.mu: what is said of a contact that does not rub is along its normal alone.
void place_rows(const ContactProblem& problem, LoadFrictionProblem& out) {
  out.G.setZero(problem.m, 3 * problem.n);
  for (int i = 0; i < problem.n; ++i) {
    out.G.col(3 * i) = problem.normals.col(i);
    if (out.mu[i] > 0.0)
      out.G.middleCols(3 * i + 1, 2) = problem.tangents.matrix().middleCols(2 * i, 2);
  }
}

void pose_loads(const ContactProblem& problem, LoadFrictionProblem& out) {
  out.mu.resize(problem.n);
  for (int i = 0; i < problem.n; ++i) out.mu[i] = friction_of(problem, i);
  place_rows(problem, out);
  out.P.resize(0, 0);
  out.y = problem.y;
  out.c.setZero(3 * problem.n);
  for (int i = 0; i < problem.n; ++i) out.c[3 * i] = problem.c[i];
}

// The problem in workspace.friction, with the columns of its forces.
void pose_posed(const ContactProblem& problem, ContactWorkspace& workspace) {
  LoadFrictionProblem& out = workspace.loads;
  out.mu = workspace.friction.mu;
  out.P = workspace.columns;
  out.y = problem.y;
  place_rows(problem, out);
  for (int i = 0; i < problem.n; ++i)
    if (!(out.mu[i] > 0.0)) out.P.middleCols(3 * i + 1, 2).setZero();
  out.c.noalias() = out.G.transpose() * out.y;
  for (int i = 0; i < problem.n; ++i)
    out.c.segment(3 * i, out.mu[i] > 0.0 ? 3 : 1) -=
        workspace.friction.q.segment(3 * i, out.mu[i] > 0.0 ? 3 : 1);
}

// Loads from which no contact slips, or none: where a solve begins.
void guess_standing(const ContactProblem& problem, const LeastDistanceSolver& solver,
                    ContactWorkspace& workspace, ContactSolution& standing) {
  workspace.guess.clear();
  if (!find_no_slip(problem, solver, {}, workspace, standing) ||
      standing.status != SolveStatus::solved)
    return;
  guess_from(standing, workspace);
}

void read_loads(const ContactProblem& problem, const LoadFrictionSolution& in,
                ContactSolution& out) {
  out.status = SolveStatus::solved;
  out.reason.clear();
  out.y = in.y;
  out.residual = in.residual;
  out.pivots = in.iterations;
  out.usable = false;
  read_forces(problem, in.r, out);
  out.active.clear();  // all that carry: a light body's contact has a share of no other's
  for (int i = 0; i < problem.n; ++i) {
    const FrictionMode mode = in.modes[i];
    if (mode != FrictionMode::open) out.active.push_back(i);
    const bool sticks = mode == FrictionMode::stick && friction_of(problem, i) > 0.0;
    out.sticking[i] = out.held[2 * i] = out.held[2 * i + 1] = sticks ? 1 : 0;
  }
}

}  // namespace

bool solve_by_loads(const ContactProblem& problem, std::span<const double> guess,
                    ContactWorkspace& workspace, ContactSolution& solution) {
  if (!problem.bound.empty()) return false;
  pose_loads(problem, workspace.loads);
  solve_load_friction(workspace.loads, guess, workspace.load_solver, workspace.load_solution);
  if (!workspace.load_solution.solved) return false;
  read_loads(problem, workspace.load_solution, solution);
  return true;
}

bool solve_posed_by_loads(const ContactProblem& problem, const LeastDistanceSolver& solver,
                          ContactWorkspace& workspace, ContactSolution& standing) {
  if (!problem.bound.empty() || !masses_differ(problem)) return false;
  guess_standing(problem, solver, workspace, standing);
  pose_posed(problem, workspace);
  for (Index i = 0; 3 * i < std::ssize(workspace.guess); ++i)
    if (workspace.loads.mu[i] == 0.0) workspace.guess[3 * i + 1] = workspace.guess[3 * i + 2] = 0.0;
  solve_load_friction(workspace.loads, workspace.guess, workspace.load_solver,
                      workspace.load_solution);
  return workspace.load_solution.solved;
}

bool slides_under(const ContactProblem& problem, std::span<const double> impulses) {
  const int n = std::min(problem.n, static_cast<int>(impulses.size() / 3));
  for (int i = 0; i < n; ++i) {
    const double* r = impulses.data() + 3 * i;
    const double bound = friction_of(problem, i) * r[0];
    if (r[0] > 0.0 && std::hypot(r[1], r[2]) >= (1.0 - kAtBound) * bound) return true;
  }
  return false;
}

}  // namespace pequod
