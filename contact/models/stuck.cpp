#include "contact/models/stuck.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/models/friction_form.h"

namespace pequod {
namespace {

// Ratio of the largest rows of two coordinates, the root of a mass ratio, from which on the
// coordinates are tried first: at 1e4 in mass W has lost four of its sixteen digits, and impulses
// exceed motions by a hundred times.
constexpr double kMassesDiffer = 1e2;
// Of the speeds of its bodies before and after: a contact that is slower stands still. Orthogonal
// steps leave some 1e-16 of the fastest body, √R of the light one's, R up to 1e12.
constexpr double kStill = 1e-9;
// Of the impulses on a coordinate: what may be left of its momentum. A hundredth of what Newton's
// law is asked for in a step.
constexpr double kMomentum = 1e-10;
// Of the largest entry of a contact: a smaller one is rounding. Those of two bodies differ by the
// root of their mass ratio.
constexpr double kNoShare = 1e-12;

std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }

// Polygons hold the circle within them.
ForceCone cone_of(const ContactProblem& problem, const ContactSolver& solver, int i) {
  const double mu = problem.friction[at(i)];
  if (problem.limit[at(i)] || mu == 0.0) return {ForceCone::Kind::push, 0.0};
  if (mu >= kNoSlipFriction) return {ForceCone::Kind::grip, 0.0};
  return {ForceCone::Kind::cone, solver.lcp ? mu * std::cos(std::numbers::pi / solver.edges) : mu};
}

// How much of coordinate k contact i can move, whatever its direction.
double share_of(const ContactProblem& problem, int i, int k) {
  const double n = problem.normals.col(i)[k], s = problem.tangents.col(2 * i)[k],
               t = problem.tangents.col(2 * i + 1)[k];
  return std::sqrt(n * n + s * s + t * t);
}

// Whether y⁺ keeps the contact where it is. The motion of its own bodies is the measure: others may
// be faster by the root of the mass ratio.
bool stands(const ContactProblem& problem, int i, const VectorXd& y) {
  double speeds = std::abs(problem.c[i]);
  for (int k = 0; k < problem.m; ++k)
    speeds += share_of(problem, i, k) * (std::abs(y[k]) + std::abs(problem.y[k]));
  const auto still = [&](const auto& row, double rest) {
    return std::abs(row.dot(y) - rest) <= kStill * speeds;
  };
  if (!still(problem.normals.col(i), problem.c[i])) return false;
  if (problem.limit[at(i)] || problem.friction[at(i)] == 0.0) return true;
  return still(problem.tangents.col(2 * i), 0.0) && still(problem.tangents.col(2 * i + 1), 0.0);
}

// The load of each coordinate under the impulses of infinite friction.
void find_loads(const ContactProblem& problem, const ContactSolution& moved, VectorXd& loads) {
  loads.setZero(problem.m);
  for (int i = 0; i < problem.n; ++i) {
    const double impulse = std::hypot(moved.fn[i], moved.ft.segment<2>(2 * i).norm());
    if (impulse == 0.0) continue;
    for (int k = 0; k < problem.m; ++k) loads[k] += impulse * share_of(problem, i, k);
  }
}

// N·s, what a contact may carry: the load of the less loaded of its bodies. It is the same for all
// corners of a face, and each force is found to a rounding of its own size, not of the largest.
double unit_of(const ContactProblem& problem, const VectorXd& loads, int i) {
  double largest = 0.0, unit = kInfinity;
  for (int k = 0; k < problem.m; ++k) largest = std::max(largest, share_of(problem, i, k));
  for (int k = 0; k < problem.m; ++k)
    if (const double share = share_of(problem, i, k); share > kNoShare * largest)
      unit = std::min(unit, loads[k] / share);
  return std::isfinite(unit) ? unit : 0.0;
}

// W f = a: impulses of contacts that stand still, in units of their own, that make y into y⁺.
void pose_forces(const ContactProblem& problem, const ContactSolver& solver, bool lifted,
                 const ContactSolution& moved, StuckBuffers& b) {
  ConeForceProblem& out = b.problem;
  out.cones.clear();
  b.contacts.clear();
  b.units.clear();
  find_loads(problem, moved, b.loads);
  Eigen::Index columns = 0;
  for (int i = 0; i < problem.n; ++i) {
    if ((!lifted && problem.c[i] < 0.0) || !stands(problem, i, moved.y)) continue;
    const double unit = unit_of(problem, b.loads, i);
    if (unit == 0.0) continue;
    b.contacts.push_back(i);
    b.units.push_back(unit);
    out.cones.push_back(cone_of(problem, solver, i));
    columns += out.cones.back().size();
  }
  out.W.resize(problem.m, columns);
  Eigen::Index column = 0;
  for (std::size_t k = 0; k < b.contacts.size(); ++k) {
    const int i = b.contacts[k];
    out.W.col(column) = b.units[k] * problem.normals.col(i);
    if (out.cones[k].size() == 3)
      out.W.middleCols(column + 1, 2) = b.units[k] * problem.tangents.matrix().middleCols(2 * i, 2);
    column += out.cones[k].size();
  }
  out.a = moved.y - problem.y;
  for (std::size_t j = 0; j < moved.fj.size(); ++j)
    out.a -= moved.fj[j] * problem.joints.col(static_cast<Eigen::Index>(j));
}

// Whether the impulses do what is asked on each coordinate. One that a contact can move is loaded
// by all that the contact carries, in whatever direction.
bool do_what_is_asked(const StuckBuffers& b) {
  const ConeForceProblem& asked = b.problem;
  const VectorXd& f = b.solution.f;
  for (Eigen::Index row = 0; row < asked.a.size(); ++row) {
    double left = -asked.a[row], terms = std::abs(asked.a[row]);
    Eigen::Index column = 0;
    for (const ForceCone& cone : asked.cones) {
      const Eigen::Index size = cone.size();
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
  out.sticking.assign(at(problem.n), 0);
  out.held.assign(2 * at(problem.n), 0);
  Eigen::Index column = 0;
  for (std::size_t k = 0; k < b.contacts.size(); ++k) {
    const int i = b.contacts[k];
    const double unit = b.units[k];
    out.fn[i] = unit * b.solution.f[column];
    const bool rubs = b.problem.cones[k].size() == 3;
    if (rubs) out.ft.segment<2>(2 * i) = unit * b.solution.f.segment<2>(column + 1);
    column += b.problem.cones[k].size();
    if (!(out.fn[i] > 0.0)) continue;
    out.active.push_back(i);
    out.sticking[at(i)] = out.held[2 * at(i)] = out.held[2 * at(i) + 1] = rubs ? 1 : 0;
  }
  share_parallel_tangents(problem, out.ft);
}

}  // namespace

bool masses_differ(const ContactProblem& problem) {
  double least = kInfinity, most = 0.0;
  for (int k = 0; k < problem.m; ++k) {
    double row = 0.0;
    for (int i = 0; i < problem.n; ++i)
      row = std::max({row, std::abs(problem.normals.col(i)[k]),
                      std::abs(problem.tangents.col(2 * i)[k]),
                      std::abs(problem.tangents.col(2 * i + 1)[k])});
    if (row == 0.0) continue;
    least = std::min(least, row);
    most = std::max(most, row);
  }
  return most > kMassesDiffer * least;
}

bool solve_stuck(const ContactProblem& problem, const ContactSolver& solver, bool lifted,
                 ContactWorkspace& workspace, ContactSolution& solution) {
  StuckBuffers& b = workspace.stuck;
  if (!find_no_slip(problem, solver.least_distance, {}, workspace, solution) ||
      solution.status != LeastDistanceStatus::solved)
    return false;
  pose_forces(problem, solver, lifted, solution, b);
  solve_cone_force(b.problem, b.solver, b.solution);
  if (!do_what_is_asked(b)) return false;
  read_stuck(problem, b, solution);
  solution.residual = std::max(solution.residual, b.solution.residual);
  solution.rounds = 1;
  solution.locks = 0;
  return true;
}

}  // namespace pequod
