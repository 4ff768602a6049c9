#include <algorithm>
#include <cmath>

#include "contact/models/contact_model.h"
#include "contact/models/least_distance_form.h"

namespace pequod {
namespace {

// Relative to the scale of the problem: a hundred roundings of one solve, where two modes tie.
constexpr double kSpeed = 1e-12;
// Relative to the bound: what a joint at breakaway may pass it by.
constexpr double kBound = 1e-10;
// A joint that the equalities before it hold but for this share of its row needs no friction, and
// what is no more of the scale of the problem does not move it. Feet whose heights differ by 1e-9 m
// leave remainders of 1e-8, and multipliers with as many digits less.
constexpr double kHeldAlready = 1e-6;
constexpr int kRounds = 10;  // of all changes at once

double sign(double x) { return x > 0.0 ? 1.0 : -1.0; }

int joint_count(const ContactProblem& problem) { return static_cast<int>(problem.bound.size()); }

enum class Sticking { held, let_go };

// One solve with given modes: y₀ − Σ s b g of the sliding joints, equalities of the sticking ones
// behind those that are there, if they are held. Speeds and forces of all joints.
bool solve_modes(const ContactProblem& problem, const LeastDistanceSolver& solver,
                 std::span<const int> warm, Sticking sticking, ContactWorkspace& workspace,
                 int& pivots) {
  LeastDistanceProblem& out = workspace.problem;
  const int before = out.k;
  out.y0 = problem.y;
  workspace.rows.reset(problem.m, kHeldAlready);
  for (int i = 0; i < before; ++i) workspace.rows.add(out.E.col(i));
  for (int j = 0; j < joint_count(problem); ++j) {
    const int s = workspace.slide[j];
    if (s != 0)
      out.y0 -= (s * problem.bound[j]) * problem.joints.col(j);
    else if (sticking == Sticking::held && workspace.rows.add(problem.joints.col(j))) {
      out.E.col(out.k) = problem.joints.col(j);
      out.e[out.k++] = problem.rest[j];
    }
  }
  solver.solve(out, {}, warm, workspace.solver, workspace.solution);
  out.k = before;
  pivots += workspace.solution.pivots;
  if (workspace.solution.status != SolveStatus::solved) return false;
  int row = before, held = before;  // of E, of the rows offered
  for (int j = 0; j < joint_count(problem); ++j) {
    const int s = workspace.slide[j];
    double& force = workspace.joint_force[j];
    force = -s * problem.bound[j];
    if (s == 0 && sticking == Sticking::held && workspace.rows.accepted()[held++])
      force = workspace.solution.fe[row++];
    workspace.joint_speed[j] = problem.joints.col(j).dot(workspace.solution.y) - problem.rest[j];
  }
  return true;
}

// How far a sticking joint is beyond its bound, in the unit of y; ≤ 0 if it is not.
double excess(const ContactProblem& problem, const ContactWorkspace& workspace, double scale,
              int j) {
  const double length = problem.joints.col(j).norm(), b = problem.bound[j];
  return length * (std::abs(workspace.joint_force[j]) - (1.0 + kBound) * b) - kSpeed * scale;
}

bool runs_back(const ContactProblem& problem, const ContactWorkspace& workspace, double scale,
               int j) {
  const double tolerance = kSpeed * scale * problem.joints.col(j).norm();
  return workspace.slide[j] * workspace.joint_speed[j] < -tolerance;
}

// Whether a joint that sticks is moved by what holds it, as by loops where its speed turns about:
// no friction of its own can stop it.
bool is_moved(const ContactProblem& problem, const ContactWorkspace& workspace, double scale,
              int j) {
  double length = problem.joints.col(j).norm();
  if (problem.loops.rank() > 0) length = std::hypot(length, problem.joints_in_loops.col(j).norm());
  return std::abs(workspace.joint_speed[j]) > kHeldAlready * scale * length;
}

// The mode of joint j at the speed u. @param scale  of speeds
int mode_at(const ContactProblem& problem, double scale, int j, double u) {
  const bool moves = std::abs(u) > kSpeed * scale * problem.joints.col(j).norm();
  return moves ? static_cast<int>(sign(u)) : 0;
}

// All joints whose mode is wrong change at once. @return whether any did
bool change_all(const ContactProblem& problem, double scale, ContactWorkspace& workspace) {
  bool changed = false;
  for (int j = 0; j < joint_count(problem); ++j) {
    int& s = workspace.slide[j];
    if (s == 0 && excess(problem, workspace, scale, j) > 0.0) {
      s = workspace.joint_force[j] > 0.0 ? -1 : 1;
      changed = true;
    } else if (s == 0 && is_moved(problem, workspace, scale, j)) {
      s = workspace.joint_speed[j] > 0.0 ? 1 : -1;
      changed = true;
    } else if (s != 0 && runs_back(problem, workspace, scale, j)) {
      s = 0;
      changed = true;
    }
  }
  return changed;
}

// Starting from a y that satisfies C, with the modes that its speeds have.
void start_descent(const ContactProblem& problem, double scale, ContactWorkspace& workspace) {
  workspace.y = workspace.solution.y;
  for (int j = 0; j < joint_count(problem); ++j)
    workspace.slide[j] = mode_at(problem, scale, j, workspace.joint_speed[j]);
}

// From y towards the solution of the present modes, up to the first joint that comes to rest; at
// the solution, the joint farthest beyond its bound slides. @return whether a mode changed
bool descend(const ContactProblem& problem, double scale, ContactWorkspace& workspace) {
  double step = 1.0;
  int stops = -1;
  for (int j = 0; j < joint_count(problem); ++j) {
    if (workspace.slide[j] == 0 || !runs_back(problem, workspace, scale, j)) continue;
    const double u = problem.joints.col(j).dot(workspace.y) - problem.rest[j];
    const double share = std::clamp(u / (u - workspace.joint_speed[j]), 0.0, 1.0);
    if (stops >= 0 && share >= step) continue;
    step = share;
    stops = j;
  }
  if (stops >= 0) {
    workspace.y += step * (workspace.solution.y - workspace.y);
    workspace.slide[stops] = 0;
    return true;
  }
  workspace.y = workspace.solution.y;
  int worst = -1;
  double most = 0.0;
  for (int j = 0; j < joint_count(problem); ++j) {
    const double beyond = workspace.slide[j] == 0 ? excess(problem, workspace, scale, j) : 0.0;
    if (beyond <= most) continue;
    most = beyond;
    worst = j;
  }
  if (worst < 0) return false;
  workspace.slide[worst] = workspace.joint_force[worst] > 0.0 ? -1 : 1;
  return true;
}

}  // namespace

void solve_with_joints(const ContactProblem& problem, const LeastDistanceSolver& solver,
                       std::span<const int> warm, bool first, ContactWorkspace& workspace) {
  if (problem.bound.empty()) {
    solver.solve(workspace.problem, {}, warm, workspace.solver, workspace.solution);
    return;
  }
  if (first) workspace.slide = problem.slide;
  workspace.joint_force.resize(problem.bound.size());
  workspace.joint_speed.resize(problem.bound.size());
  workspace.problem.y0 = problem.y;
  const double size = scale(workspace.problem);
  const int limit = kRounds + 20 * (1 + joint_count(problem));  // met in no run
  int pivots = 0;
  bool changed = true, descends = false;
  for (int round = 0; changed && round < limit; ++round) {
    bool starts = false;
    if (solve_modes(problem, solver, warm, Sticking::held, workspace, pivots)) {
      changed = descends ? descend(problem, size, workspace) : change_all(problem, size, workspace);
      starts = changed && !descends && round == kRounds - 1;
    } else {
      // Joints that cannot stick, as where contacts move them along: from where none is held.
      if (descends || !solve_modes(problem, solver, warm, Sticking::let_go, workspace, pivots))
        return;
      starts = true;
    }
    if (starts) start_descent(problem, size, workspace);
    descends = descends || starts;
  }
  workspace.solution.pivots = pivots;
  if (!changed) return;
  workspace.solution.status = SolveStatus::failed;
  workspace.solution.reason = "the modes of joint friction do not settle";
}

void read_joints(const ContactProblem& problem, const ContactWorkspace& workspace,
                 ContactSolution& out) {
  out.slide.clear();
  out.fj.clear();
  for (std::size_t j = 0; j < problem.bound.size(); ++j) {
    out.slide.push_back(workspace.slide[j]);
    out.fj.push_back(workspace.joint_force[j]);
  }
}

void read_moved_joints(const ContactProblem& problem, const ContactWorkspace& workspace,
                       ContactSolution& out) {
  read_joints(problem, workspace, out);
  const double size = problem.y.norm();
  for (int j = 0; j < joint_count(problem); ++j)
    out.slide[j] = mode_at(problem, size, j, problem.joints.col(j).dot(out.y) - problem.rest[j]);
}

}  // namespace pequod
