#include "contact/solvers/complementarity/semismooth_newton.h"

#include <algorithm>
#include <cmath>

#include "contact/solvers/complementarity/lcp_bounds.h"
#include "contact/solvers/complementarity/lcp_steps.h"

namespace pequod {

namespace {

/// A value with its derivatives by z (scaled) and w.
struct Phi {
  double value, by_z, by_w;
};

/// a + b − √(a² + b²) of two values. At the corner, where it is not smooth, one of its generalised
/// derivatives: the one along (1, 1).
Phi fischer_burmeister(const Phi& a, const Phi& b) {
  const double length = std::hypot(a.value, b.value);
  const double by_a = length > 0 ? 1 - a.value / length : 1 - std::sqrt(0.5);
  const double by_b = length > 0 ? 1 - b.value / length : 1 - std::sqrt(0.5);
  // For a, b > 0 the plain difference cancels.
  const double value = a.value > 0 && b.value > 0
                           ? 2 * a.value * b.value / (a.value + b.value + length)
                           : a.value + b.value - length;
  return {value, by_a * a.by_z + by_b * b.by_z, by_a * a.by_w + by_b * b.by_w};
}

Phi minus(const Phi& a) { return {-a.value, -a.by_z, -a.by_w}; }

/// Φ of one row; `scale` turns z into the unit of w.
Phi row_function(const Bounds& bound, double scale, double z, double w) {
  const Phi of_w{w, 0, 1};
  const Phi above{scale * (bound.upper - z), -1, 0}, below{scale * (z - bound.lower), 1, 0};
  if (!bound.below() && !bound.above()) return of_w;
  if (!bound.above()) return fischer_burmeister(below, of_w);
  const Phi upper = minus(fischer_burmeister(above, minus(of_w)));
  return bound.below() ? fischer_burmeister(below, upper) : upper;
}

/// Buffers of one solve, all of them n; see NewtonWorkspace.
template <class Problem>
struct LcpNewton {
  const Problem& problem;
  LcpWorkspace& workspace;
  NewtonWorkspace& buffers;

  void set_scale() {
    buffers.scale.resize(problem.q.size());
    for (Index i = 0; i < problem.q.size(); ++i) {
      double scale = problem.M(i, i);
      if (!(scale > 0)) scale = problem.M.row(i).cwiseAbs().maxCoeff();
      buffers.scale[i] = scale > 0 ? scale : 1.0;
    }
  }

  /// Φ at z; the derivatives are kept.
  /// @return  ½|Φ|²
  double evaluate(const VectorXd& z) {
    const Index n = z.size();
    buffers.w = problem.q;
    buffers.w.noalias() += problem.M * z;
    for (VectorXd* x : {&buffers.phi, &buffers.by_z, &buffers.by_w}) x->resize(n);
    for (Index i = 0; i < n; ++i) {
      const Phi phi = row_function(bounds(problem, i), buffers.scale[i], z[i], buffers.w[i]);
      buffers.phi[i] = phi.value;
      buffers.by_z[i] = phi.by_z * buffers.scale[i];
      buffers.by_w[i] = phi.by_w;
    }
    return 0.5 * buffers.phi.squaredNorm();
  }

  /// J = diag(by_z) + diag(by_w) M, and the slope Jᵀ Φ of the merit.
  void set_jacobian() {
    buffers.J = problem.M;
    for (Index j = 0; j < buffers.J.cols(); ++j)
      for (Index i = 0; i < buffers.J.rows(); ++i) buffers.J(i, j) *= buffers.by_w[i];
    buffers.J.diagonal() += buffers.by_z;
    buffers.slope.noalias() = buffers.J.transpose() * buffers.phi;
  }

  /// d with J d = −Φ; false if J is singular or d does not lead downhill.
  bool newton_direction() {
    workspace.lu.matrix(problem.q.size()) = buffers.J;
    if (workspace.lu.factor() < 1e-14) return false;
    buffers.d = -buffers.phi;
    workspace.lu.solve(buffers.d.data());
    return buffers.slope.dot(buffers.d) < -1e-10 * buffers.slope.norm() * buffers.d.norm();
  }

  /// d with (JᵀJ + μ) d = −JᵀΦ, μ falling with Φ.
  bool damped_direction(double merit) {
    const Index n = problem.q.size();
    Eigen::Map<MatrixXd> A = workspace.lu.matrix(n);
    A.noalias() = buffers.J.transpose() * buffers.J;
    const double size = std::max(A.diagonal().maxCoeff(), 1e-300);
    A.diagonal().array() += size * std::clamp(std::sqrt(merit) / size, 1e-12, 1e-3);
    if (workspace.lu.factor() <= 0) return false;
    buffers.d = -buffers.slope;
    workspace.lu.solve(buffers.d.data());
    return buffers.slope.dot(buffers.d) < 0;
  }

  /// Halves the step until the merit falls by 10⁻⁴ of what its slope promises (Armijo).
  bool search(double& merit, VectorXd& z) {
    const double slope = buffers.slope.dot(buffers.d);
    buffers.z = z;
    for (double step = 1; step > 1e-12; step *= 0.5) {
      z = buffers.z + step * buffers.d;
      const double next = evaluate(z);
      if (next <= merit + 1e-4 * step * slope) {
        merit = next;
        return true;
      }
    }
    z = buffers.z;
    return false;
  }

  bool advance(double& merit, VectorXd& z) {
    set_jacobian();
    if (newton_direction() && search(merit, z)) return true;
    evaluate(z);
    return damped_direction(merit) && search(merit, z);
  }

  /// Bounds met up to `near` of the size of the problem are met exactly, so that the set is clear.
  void snap(VectorXd& z) const {
    for (Index i = 0; i < z.size(); ++i) {
      const Bounds bound = bounds(problem, i);
      const double w = buffers.w[i] / buffers.scale[i];
      if (bound.below() && z[i] - bound.lower <= w) z[i] = bound.lower;
      if (bound.above() && bound.upper - z[i] <= -w) z[i] = bound.upper;
      z[i] = bound.project(z[i]);
    }
  }
};

template <class Problem>
void run_newton(const Problem& problem, const LcpOptions& options, LcpWorkspace& workspace,
                LcpSolution& solution) {
  LcpNewton<Problem> newton{problem, workspace, workspace.newton};
  VectorXd& z = solution.z;
  const Index n = z.size();
  newton.set_scale();
  if (workspace.start.size() > 0) z = workspace.start;
  for (Index i = 0; i < n; ++i) z[i] = bounds(problem, i).project(z[i]);
  double merit = newton.evaluate(z);
  const double small = 1e-14 * problem.q.norm();
  const int limit = options.max_iterations > 0 ? options.max_iterations : 300;
  bool moved = true;
  while (moved && solution.pivots < limit && std::sqrt(2 * merit) > small) {
    moved = newton.advance(merit, z);
    solution.pivots += moved ? 1 : 0;
  }
  newton.evaluate(z);
  newton.snap(z);
  refine_lcp(problem, workspace, solution);
  if (solution.pivots >= limit) solution.reason = "the limit of Newton steps is reached";
  if (!moved) solution.reason = "no step reduces the residual: a local minimum, or rounding";
  finish_lcp(problem, options, solution);
}

}  // namespace

void solve_lcp_by_newton(const LcpProblem& problem, const LcpOptions& options,
                         const VectorXd& warm_start, LcpWorkspace& workspace,
                         LcpSolution& solution) {
  if (!begin_lcp(problem, warm_start, workspace, solution, "semismooth-newton")) return;
  run_newton(problem, options, workspace, solution);
  if (solution.status == SolveStatus::failed) look_for_certificate(problem, solution);
}

void solve_box_by_newton(const BoxProblem& problem, const LcpOptions& options,
                         const VectorXd& warm_start, LcpWorkspace& workspace,
                         LcpSolution& solution) {
  if (!begin_lcp(problem, warm_start, workspace, solution, "semismooth-newton")) return;
  run_newton(problem, options, workspace, solution);
}

}  // namespace pequod
