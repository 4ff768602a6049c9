#include "contact/solvers/friction/dissipation/frictionless_impulses.h"

#include <algorithm>
#include <cmath>
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

}  // namespace

SolveStatus solve_frictionless(const ScaledFriction& problem, FrictionlessBuffers& buffers,
                               Eigen::VectorXd& normal) {
  normal.setZero(problem.n);
  if (problem.n == 0) return SolveStatus::solved;
  load(problem, buffers);
  state_least_distance(problem, place_pivoted_factor(problem.n, buffers), buffers);
  solve_dual(buffers.problem, {}, {}, buffers.workspace, buffers.solution);
  if (buffers.solution.status == SolveStatus::solved) normal = buffers.solution.f;
  return buffers.solution.status;
}

}  // namespace pequod
