#include "contact/models/stuck.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/models/friction_form.h"
#include "contact/solvers/friction/forces/cone_force.h"

namespace pequod {
namespace {

// Ratio of the largest entries of rows in two trees, the root of a mass ratio, from which on the
// coordinates are tried first: at 1e3 in mass W has lost three of its sixteen digits, and impulses
// exceed motions by thirty times.
constexpr double kMassesDiffer = 3e1;
// Of the speeds of its bodies before and after: a contact that is slower stands still. First by
// what a solver leaves, 1e-16 of the fastest body over the shortest row, R of them for the
// lightest; then, once these are held, by what is left of rows that repeat others.
constexpr double kNearlyStill = 1e-4, kStill = 1e-9;
// Of its length: a row that has less beyond those that are held repeats them. Masses leave the
// root of 1/R.
constexpr double kRepeats = 1e-8;
// Of the impulses on a coordinate: what may be left of its momentum, some hundred roundings.
constexpr double kMomentum = 1e-13;

bool rubs(const ContactProblem& problem, int i) { return problem.friction[i] > 0.0; }

// Polygons hold the circle within them.
ForceCone cone_of(const ContactProblem& problem, const ContactSolver& solver, int i) {
  const double mu = problem.friction[i];
  if (!rubs(problem, i)) return {ForceCone::Kind::push, 0.0};
  if (mu >= kNoSlipFriction) return {ForceCone::Kind::grip, 0.0};
  return {ForceCone::Kind::cone, solver.lcp ? mu * std::cos(std::numbers::pi / solver.edges) : mu};
}

// How much of coordinate k contact i can move, whatever its direction.
double share_of(const ContactProblem& problem, int i, Index k) {
  const double n = problem.normals.col(i)[k], s = problem.tangents.col(2 * i)[k],
               t = problem.tangents.col(2 * i + 1)[k];
  return std::sqrt(n * n + s * s + t * t);
}

// How fast the bodies of contact i are there, before or after, whatever the direction: the measure
// of its own motion, as other bodies may be faster by the root of the mass ratio.
double speed_of_bodies(const ContactProblem& problem, int i, const VectorXd& y) {
  double speed = std::abs(problem.c[i]);
  for (const auto& [begin, end] : problem.normals.stretches(i))
    for (Index k = begin; k < end; ++k)
      speed += share_of(problem, i, k) * (std::abs(y[k]) + std::abs(problem.y[k]));
  return speed;
}

// Whether y keeps the contact where it is, but for this share of what its bodies do.
bool stands(const ContactProblem& problem, int i, const VectorXd& y, double share) {
  const double noise = share * speed_of_bodies(problem, i, y);
  if (!(std::abs(problem.normals.dot(i, y) - problem.c[i]) <= noise)) return false;
  return !rubs(problem, i) || (std::abs(problem.tangents.dot(2 * i, y)) <= noise &&
                               std::abs(problem.tangents.dot(2 * i + 1, y)) <= noise);
}

// The contacts that all but stand at y⁺ held as equalities: then y⁺ is known to a rounding on each
// body, which a solver of inequalities leaves to the fastest.
// @return  false if these contradict each other, or others approach
bool hold_standing(const ContactProblem& problem, bool lifted, ContactWorkspace& workspace,
                   VectorXd& y) {
  StuckBuffers& b = workspace.stuck;
  b.contacts.clear();
  workspace.rows.reset(problem.m, kRepeats);
  std::vector<double> asked;
  for (int i = 0; i < problem.n; ++i) {
    if ((!lifted && problem.c[i] < 0.0) || !stands(problem, i, y, kNearlyStill)) continue;
    b.contacts.push_back(i);
    workspace.rows.add(problem.normals.col(i));
    asked.push_back(problem.c[i]);
  }
  for (const int i : b.contacts)
    for (int j = 2 * i; j < 2 * i + 2 && rubs(problem, i); ++j) {
      workspace.rows.add(problem.tangents.col(j));
      asked.push_back(0.0);
    }
  y = problem.y;
  workspace.rows.solve(Eigen::Map<const VectorXd>(asked.data(), std::ssize(asked)), y,
                       workspace.multipliers);
  for (const int i : b.contacts)
    if (!stands(problem, i, y, kStill)) return false;
  for (int i = 0; i < problem.n; ++i)
    if (problem.normals.dot(i, y) - problem.c[i] < -kStill * speed_of_bodies(problem, i, y))
      return false;
  return true;
}

// W f = a: impulses of contacts that stand still, in units of their own, that make y into y⁺.
void pose_forces(const ContactProblem& problem, const ContactSolver& solver,
                 const ContactSolution& moved, StuckBuffers& b) {
  ConeForceProblem& out = b.problem;
  out.cones.clear();
  Index columns = 0;
  for (const int i : b.contacts) {
    out.cones.push_back(cone_of(problem, solver, i));
    columns += out.cones.back().size();
  }
  out.W.resize(problem.m, columns);
  VectorXd& f = b.solution.f;
  f.resize(columns);
  Index column = 0;
  for (std::size_t k = 0; k < b.contacts.size(); ++k) {
    const int i = b.contacts[k];
    out.W.col(column) = problem.normals.col(i);
    f[column] = moved.fn[i];
    if (out.cones[k].size() == 3) {
      out.W.middleCols(column + 1, 2) = problem.tangents.matrix().middleCols(2 * i, 2);
      f.segment<2>(column + 1) = moved.ft.segment<2>(2 * i);
    }
    column += out.cones[k].size();
  }
  out.a = moved.y - problem.y;
  find_cone_units(out.W, out.cones, f, b.loads, b.units);
  column = 0;
  for (std::size_t k = 0; k < b.units.size(); ++k) {
    out.W.middleCols(column, out.cones[k].size()) *= b.units[k];
    column += out.cones[k].size();
  }
}

// Whether the impulses do what is asked on each coordinate. One that a contact can move is loaded
// by all that the contact carries, in whatever direction.
bool do_what_is_asked(const StuckBuffers& b) {
  const ConeForceProblem& asked = b.problem;
  const VectorXd& f = b.solution.f;
  for (Index row = 0; row < asked.a.size(); ++row) {
    double left = -asked.a[row], terms = std::abs(asked.a[row]);
    Index column = 0;
    for (const ForceCone& cone : asked.cones) {
      const Index size = cone.size();
      left += asked.W.row(row).segment(column, size).dot(f.segment(column, size));
      terms += asked.W.row(row).segment(column, size).norm() * f.segment(column, size).norm();
      column += size;
    }
    if (!(std::abs(left) <= kMomentum * terms)) return false;
  }
  return true;
}

void read_stuck(const ContactProblem& problem, const StuckBuffers& b, ContactSolution& out) {
  out.fn.setZero(problem.n);
  out.ft.setZero(2 * problem.n);
  out.active.clear();
  out.sticking.assign(problem.n, 0);
  out.held.assign(2 * problem.n, 0);
  Index column = 0;
  for (std::size_t k = 0; k < b.contacts.size(); ++k) {
    const int i = b.contacts[k];
    const double unit = b.units[k];
    out.fn[i] = unit * b.solution.f[column];
    const bool holds = b.problem.cones[k].size() == 3;
    if (holds) out.ft.segment<2>(2 * i) = unit * b.solution.f.segment<2>(column + 1);
    column += b.problem.cones[k].size();
    if (!(out.fn[i] > 0.0)) continue;
    out.active.push_back(i);
    out.sticking[i] = out.held[2 * i] = out.held[2 * i + 1] = holds ? 1 : 0;
  }
  share_parallel_tangents(problem, out.ft);
}

}  // namespace

bool masses_differ(const ContactProblem& problem) {
  if (problem.n == 0) return false;
  const Stretch& tree = problem.normals.stretches(0)[0];
  if (tree.end - tree.begin == problem.m) return false;  // one robot
  thread_local VectorXd largest;  // storage only: of each tree, at its first coordinate
  largest.setZero(problem.m);
  for (const ColumnBuffer* columns : {&problem.normals, &problem.tangents})
    for (Index i = 0; i < columns->columns(); ++i)
      for (const auto& [begin, end] : columns->stretches(i))
        if (end > begin)
          largest[begin] =
              std::max(largest[begin],
                       columns->col(i).segment(begin, end - begin).lpNorm<Eigen::Infinity>());
  double least = kInfinity, most = 0.0;
  for (const double row : largest) {
    if (row == 0.0) continue;
    least = std::min(least, row);
    most = std::max(most, row);
  }
  return most > kMassesDiffer * least;
}

bool solve_stuck(const ContactProblem& problem, const ContactSolver& solver, bool lifted,
                 ContactWorkspace& workspace, ContactSolution& solution) {
  StuckBuffers& b = workspace.stuck;
  if (!problem.bound.empty() ||
      !find_no_slip(problem, solver.least_distance, {}, workspace, solution) ||
      solution.status != SolveStatus::solved ||
      !hold_standing(problem, lifted, workspace, solution.y))
    return false;
  pose_forces(problem, solver, solution, b);
  solve_cone_force(b.problem, b.solver, b.solution);
  if (!do_what_is_asked(b)) return false;
  read_stuck(problem, b, solution);
  solution.residual = std::max(solution.residual, b.solution.residual);
  solution.rounds = 1;
  solution.locks = 0;
  return true;
}

}  // namespace pequod
