#include "contact/solvers/friction/dissipation/maximum_dissipation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "contact/solvers/least_distance/dual.h"

namespace pequod {

namespace {

constexpr double kLeastPivot =
    1e-12;  // of the largest diagonal entry; below it a pivot is rounding

/// The normal rows of W, lower half, and the order of its pivots.
void load(const ScaledFriction& problem, FrictionlessBuffers& b) {
  const int n = problem.n;
  b.factor.resize(n, n);
  b.order.resize(n);
  for (int i = 0; i < n; ++i) {
    b.order[i] = i;
    for (int j = 0; j <= i; ++j)
      b.factor(i, j) = 0.5 * (problem.W(problem.stride * i, problem.stride * j) +
                              problem.W(problem.stride * j, problem.stride * i));
  }
}

/// Rows and columns i > k of the symmetric matrix in the lower half change places.
void exchange(FrictionlessBuffers& b, int n, int k, int i) {
  RowMajorMatrix& A = b.factor;
  for (int j = 0; j < k; ++j) std::swap(A(k, j), A(i, j));
  for (int j = k + 1; j < i; ++j) std::swap(A(j, k), A(i, j));
  for (int j = i + 1; j < n; ++j) std::swap(A(j, k), A(j, i));
  std::swap(A(k, k), A(i, i));
  std::swap(b.order[k], b.order[i]);
}

/// L in the first columns of `factor`, rows in the order of pivots; returns the rank.
int place_pivoted_factor(int n, FrictionlessBuffers& b) {
  RowMajorMatrix& A = b.factor;
  const double least = kLeastPivot * A.diagonal().maxCoeff();
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (A(i, i) > A(best, best)) best = i;
    if (!(A(best, best) > least)) return k;
    if (best != k) exchange(b, n, k, best);
    A(k, k) = std::sqrt(A(k, k));
    for (int i = k + 1; i < n; ++i) A(i, k) /= A(k, k);
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j <= i; ++j) A(i, j) -= A(i, k) * A(j, k);
  }
  return n;
}

/// min ½|y − y₀|², Gᵀy ≥ c with GᵀG = W_nn and q_n = Gᵀy₀ − c: its multipliers are ρ_n.
void state_least_distance(const ScaledFriction& problem, int rank, FrictionlessBuffers& b) {
  const int n = problem.n;
  LeastDistanceProblem& p = b.problem;
  p.y0.setZero(n);
  p.E.resize(n, 0);
  p.e.resize(0);
  p.G.setZero(n, n);
  p.c.setZero(n);
  for (int row = 0; row < n; ++row) {
    const int contact = b.order[row];
    double rest = problem.q[problem.stride * contact];
    for (int j = 0; j < std::min(row, rank); ++j) rest -= b.factor(row, j) * p.y0[j];
    if (row < rank) p.y0[row] = rest / b.factor(row, row);
    // Dependent contacts fit to rounding unless walls move.
    else if (std::abs(rest) > 1e-12 * std::max(problem.q_norm, problem.scale))
      p.c[contact] = -rest;
    for (int j = 0; j < std::min(row + 1, rank); ++j) p.G(j, contact) = b.factor(row, j);
  }
}

/// ρ_n ≥ 0 with û_n = W_nn ρ_n + q_n ≥ 0 and no product: phase I (QP 3). W_nn = L Lᵀ by Cholesky's
/// method with pivots makes it a least-distance problem.
/// @return  its status; `normal` is written if it is solved
SolveStatus solve_frictionless(const ScaledFriction& problem, FrictionlessBuffers& buffers,
                               VectorXd& normal) {
  normal.setZero(problem.n);
  if (problem.n == 0) return SolveStatus::solved;
  load(problem, buffers);
  state_least_distance(problem, place_pivoted_factor(problem.n, buffers), buffers);
  solve_dual(buffers.problem, {}, {}, buffers.workspace, buffers.solution);
  if (buffers.solution.status == SolveStatus::solved) normal = buffers.solution.f;
  return buffers.solution.status;
}

using Buffers = MaximumDissipationWorkspace;

void check_arguments(const FrictionProblem& problem, const MaximumDissipationOptions& options) {
  check(problem);
  if (problem.dimension == 5)
    throw std::invalid_argument("maximum dissipation: there is no model of rolling friction");
  const VectorXd& width = options.width;
  if (width.size() != 0 && width.size() != problem.mu.size())
    throw std::invalid_argument("maximum dissipation: width has " + std::to_string(width.size()) +
                                " entries for " + std::to_string(problem.mu.size()) + " contacts");
  if (width.size() != 0 && !(width.minCoeff() >= 0))
    throw std::invalid_argument("maximum dissipation: an entry of width is not ≥ 0");
}

/// Whether r_n ≥ 0 needs a row of its own: a cone with an apex at zero implies it.
bool needs_row(const Buffers& b, const MaximumDissipationOptions& options, int i) {
  const bool has_cone = b.problem.mu[i] > 0 && b.problem.mu[i] < kNoSlipFriction;
  return !has_cone || (options.width.size() > 0 && options.width[i] > 0);
}

/// Everything but the cones: û_n ≥ 0, κ, ρ_n ≥ 0.
void state_program(const MaximumDissipationOptions& options, double kappa, Buffers& b) {
  ConeProgram& p = b.program;
  const int n = b.problem.n, N = b.problem.rows();
  p.bounds = 0;
  for (int i = 0; i < n; ++i) p.bounds += needs_row(b, options, i);
  const int rows = n + 1 + p.bounds;
  p.A = b.problem.W;
  p.b = b.problem.q;
  p.B.resize(rows, N);
  p.B.setZero();
  p.c.setZero(rows);
  const double S = std::max(b.problem.q_norm, b.problem.scale);
  p.scale = S > 0 ? S : 1;
  p.cones.clear();
  int row = n + 1;
  for (int i = 0; i < n; ++i) {
    p.B.row(i) = b.problem.W.row(3 * i);
    p.c[i] = b.problem.q[3 * i];
    // One contact may carry all of κ, so each counts as much as its unit.
    p.B(n, 3 * i) = -b.problem.d[i];
    if (needs_row(b, options, i)) p.B(row++, 3 * i) = 1;
    if (b.problem.mu[i] < kNoSlipFriction) p.cones.push_back(i);
  }
  const double unit = b.problem.d.maxCoeff();
  p.B.row(n) /= unit;
  p.c[n] = kappa * (1 + options.slack) / unit;
  p.mu = b.problem.mu;
}

/// Cones |ρ_t| ≤ μρ_n, or where there is a width the tangent of √(μ²ρ_n² + w²) at the last ρ_n.
void state_cones(const MaximumDissipationOptions& options, Buffers& b) {
  if (options.width.size() == 0) {
    b.program.width.resize(0);
    return;
  }
  b.program.width.resize(b.problem.n);
  for (int i = 0; i < b.problem.n; ++i) {
    const double mu = b.problem.mu[i], width = options.width[i] / b.problem.d[i];
    const double x = std::max(b.rho[3 * i], 0.0);
    const double root = std::hypot(mu * x, width);
    b.program.mu[i] = width > 0 ? mu * mu * x / root : mu;
    b.program.width[i] = width > 0 ? width * width / root : 0;
  }
}

/// Contacts without friction and width have no cone but ρ_t = 0 by decoupling.
void drop_empty_cones(const MaximumDissipationOptions& options, Buffers& b) {
  std::erase_if(b.program.cones, [&](int i) {
    return b.problem.mu[i] == 0 && (options.width.size() == 0 || options.width[i] == 0);
  });
}

/// How far the last round has moved the bodies, over S. Impulses of contacts that repeat each other
/// differ for ever.
double moved(Buffers& b) {
  b.previous -= b.rho;
  b.slope.noalias() = b.problem.W * b.previous;
  return std::sqrt(std::max(0.0, b.previous.dot(b.slope))) / b.program.scale;
}

InteriorPointResult solve_rounds(const MaximumDissipationOptions& options, Buffers& b) {
  InteriorPointSettings settings;
  settings.iterations = options.max_iterations;
  settings.tolerance = options.tolerance;
  // Tangents close in quickly: the error of ρ_n enters the energy squared.
  constexpr int kRounds = 30;
  constexpr double kSettled = 1e-8;  // of all velocities: what a solution is accepted with
  InteriorPointResult result;
  int iterations = 0;
  for (int round = 0; round < kRounds; ++round) {
    state_cones(options, b);
    b.previous = b.rho;
    result = solve_cone_program(b.program, settings, b.interior_point, b.rho);
    iterations += result.iterations;
    if (options.width.size() == 0 || moved(b) <= kSettled) break;
  }
  result.iterations = iterations;
  return result;
}

/// ρ ← the impulses of least energy between ρ and those of phase I. Both keep the bounds, so all
/// between do; phase I takes energy away to rounding, while an interior point stops 10⁻⁸ short of
/// the least, which for bodies close to rest is a gain.
void spend_no_less_than_phase_one(Buffers& b) {
  VectorXd& delta = b.previous;
  delta = -b.rho;
  for (int i = 0; i < b.problem.n; ++i) delta[3 * i] += b.normal[i];
  b.slope = b.problem.q;
  b.slope.noalias() += b.problem.W * b.rho;
  const double slope = delta.dot(b.slope);
  if (!(slope < 0)) return;
  b.slope.noalias() = b.problem.W * delta;
  const double curvature = delta.dot(b.slope);
  b.rho += (curvature > -slope ? -slope / curvature : 1.0) * delta;
}

// An interior point may end outside by its tolerance; a contact that pulls would gain energy from a
// gap that is far from closed.
void push_only(const MaximumDissipationOptions& options, Buffers& b) {
  for (int i = 0; i < b.problem.n; ++i) {
    if (b.rho[3 * i] >= 0) continue;
    b.rho[3 * i] = 0;
    const double bound = options.width.size() > 0 ? options.width[i] / b.problem.d[i] : 0;
    const double tangent = std::hypot(b.rho[3 * i + 1], b.rho[3 * i + 2]);
    if (tangent > bound) b.rho.segment<2>(3 * i + 1) *= bound / tangent;
  }
}

void measure(const FrictionProblem& problem, const MaximumDissipationOptions& options,
             const Buffers& b, MaximumDissipationSolution& solution) {
  const int dimension = problem.dimension;
  solution.u.noalias() = problem.W * solution.r;
  solution.u += problem.q;
  solution.energy_change = 0.5 * solution.r.dot(solution.u + problem.q);
  solution.penetration = solution.cone = 0;
  double sum = 0;
  for (int i = 0; i < b.problem.n; ++i) {
    const double d = b.problem.d[i];
    const double* r = solution.r.data() + dimension * i;
    const double tangent = dimension == 2 ? std::abs(r[1]) : std::hypot(r[1], r[2]);
    const double width = options.width.size() > 0 ? options.width[i] : 0;
    solution.penetration = std::max(solution.penetration, -solution.u[dimension * i] * d);
    solution.cone = std::max(solution.cone, -r[0] / d);
    if (problem.mu[i] < kNoSlipFriction)
      solution.cone =
          std::max(solution.cone, (tangent - std::hypot(problem.mu[i] * r[0], width)) / d);
    sum += r[0];
  }
  solution.penetration /= b.program.scale;
  solution.cone /= b.program.scale;
  solution.excess =
      solution.kappa > 0 ? std::max(0.0, sum / solution.kappa - 1) : std::max(0.0, sum);
}

/// Phase I and κ; sets the solution to it, which is feasible and the start of everything else.
bool phase_one(const FrictionProblem& problem, Buffers& b, MaximumDissipationSolution& solution) {
  const SolveStatus status = solve_frictionless(b.problem, b.frictionless, b.normal);
  b.rho.setZero(b.problem.rows());
  solution.normal.setZero(b.problem.n);
  solution.r.setZero(problem.q.size());
  solution.u = problem.q;
  solution.iterations = 0;
  solution.reason.clear();
  if (status != SolveStatus::solved) {
    const bool none = status == SolveStatus::no_solution;
    solution.status = none ? SolveStatus::no_solution : SolveStatus::failed;
    solution.reason = none ? "no normal impulses keep the contacts from approaching (phase I)"
                           : "phase I: " + b.frictionless.solution.reason;
    return false;
  }
  for (int i = 0; i < b.problem.n; ++i) {
    b.rho[3 * i] = b.normal[i];
    solution.normal[i] = b.problem.d[i] * b.normal[i];
  }
  solution.kappa = solution.normal.sum();
  return true;
}

}  // namespace

void judge_dissipation(const MaximumDissipationOptions& options,
                       MaximumDissipationSolution& solution) {
  struct Item {
    const char* name;
    double value, limit;
  };
  const double accepted = options.accepted;
  const std::array<Item, 4> items = {
      Item{"penetration", solution.penetration, accepted},
      Item{"distance from the cone", solution.cone, accepted},
      Item{"excess over kappa", solution.excess, options.slack + accepted},
      Item{"distance from the least energy", solution.gap, accepted}};
  solution.status = SolveStatus::solved;
  for (const Item& item : items) {
    if (item.value <= item.limit) continue;
    std::array<char, 120> text;
    std::snprintf(text.data(), text.size(), "the %s is %.1e of its scale, not %.1e", item.name,
                  item.value, item.limit);
    solution.status = SolveStatus::failed;
    solution.reason = text.data();
    return;
  }
}

void solve_maximum_dissipation(const FrictionProblem& problem,
                               const MaximumDissipationOptions& options,
                               MaximumDissipationWorkspace& b,
                               MaximumDissipationSolution& solution) {
  check_arguments(problem, options);
  scale_friction(problem, b.problem, options.width.size() == 0);
  if (!phase_one(problem, b, solution)) return;
  state_program(options, solution.kappa, b);
  drop_empty_cones(options, b);
  solution.gap = 0;
  // No friction, be it for want of normal impulses: nothing is left to choose.
  if (options.width.size() > 0 || (solution.kappa > 0 && b.problem.mu.any())) {
    const InteriorPointResult result = solve_rounds(options, b);
    solution.iterations = result.iterations;
    solution.gap = result.error();
    push_only(options, b);
    spend_no_less_than_phase_one(b);
  }
  for (int i = 0; i < b.problem.n; ++i)
    for (int k = 0; k < problem.dimension; ++k)
      solution.r[problem.dimension * i + k] = b.problem.d[i] * b.rho[3 * i + k];
  measure(problem, options, b, solution);
  judge_dissipation(options, solution);
}

}  // namespace pequod
