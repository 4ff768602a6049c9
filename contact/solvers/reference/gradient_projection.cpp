#include "contact/solvers/reference/gradient_projection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "contact/solvers/complementarity/lcp_bounds.h"
#include "contact/solvers/complementarity/lcp_least_distance.h"
#include "contact/solvers/complementarity/lcp_steps.h"
#include "contact/solvers/linear/semidefinite.h"

namespace pequod {

namespace {

using Eigen::Index;

constexpr double kNoBreak = std::numeric_limits<double>::infinity();
constexpr double kFlat = 1e-14;  // of the terms of pᵀMp: less curvature is rounding

template <class Problem>
struct GradientProjection {
  const Problem& problem;
  GradientProjectionWorkspace& work;
  Eigen::VectorXd& z;
  bool unbounded = false;  ///< `p` runs downhill for ever

  [[nodiscard]] Index n() const { return problem.q.size(); }

  void begin(const Eigen::VectorXd& start) {
    work.D = problem.M.diagonal();
    for (double& d : work.D)
      if (!(d > 0)) d = 1.0;
    for (Eigen::VectorXd* x : {&work.p, &work.Mp, &work.r, &work.s, &work.breaks}) x->resize(n());
    work.order.reserve(static_cast<std::size_t>(n()));
    work.free.resize(static_cast<std::size_t>(n()));
    if (start.size() > 0) z = start;
    for (Index i = 0; i < n(); ++i) z[i] = bounds(problem, i).project(z[i]);
  }

  void set_gradient() {
    work.g = problem.q;
    work.g.noalias() += problem.M * z;
  }

  /// Change of the objective from z to `at`, without the cancellation of its two values.
  [[nodiscard]] double change(const Eigen::VectorXd& at) {
    work.r = at - z;
    work.Mp.noalias() = problem.M * work.r;
    return work.r.dot(work.g) + 0.5 * work.r.dot(work.Mp);
  }

  /// p is scaled steepest descent without the rows that would leave at once.
  void set_path() {
    work.order.clear();
    for (Index i = 0; i < n(); ++i) {
      const Bounds bound = bounds(problem, i);
      work.p[i] = -work.g[i] / work.D[i];
      const double room = work.p[i] > 0 ? bound.upper - z[i] : z[i] - bound.lower;
      if (room <= 0) work.p[i] = 0;
      work.breaks[i] = work.p[i] == 0 ? kNoBreak : room / std::abs(work.p[i]);
      if (work.breaks[i] < kNoBreak) work.order.push_back(static_cast<int>(i));
    }
    std::sort(work.order.begin(), work.order.end(), [&](int a, int b) {
      return work.breaks[a] < work.breaks[b] || (work.breaks[a] == work.breaks[b] && a < b);
    });
  }

  /// Moves z to the first minimum along P(z + t p), row after row at its bound (sec. 16.7).
  void go_to_cauchy_point() {
    set_path();
    work.Mp.noalias() = problem.M * work.p;
    double t = 0;
    for (std::size_t next = 0;; ++next) {
      const double slope = work.g.dot(work.p), curvature = work.p.dot(work.Mp);
      if (!(slope < 0)) return;
      const bool flat = curvature <= kFlat * (work.p.cwiseAbs2().dot(work.D));
      const double best = flat ? kNoBreak : -slope / curvature;
      const bool last = next == work.order.size();
      const double room = last ? kNoBreak : work.breaks[work.order[next]] - t;
      if (last && std::isinf(best)) {
        unbounded = true;
        return;
      }
      const double length = std::min(best, room);
      z += length * work.p;
      work.g += length * work.Mp;
      t += length;
      if (best <= room) return;
      const int row = work.order[next];
      z[row] = work.p[row] > 0 ? bounds(problem, row).upper : bounds(problem, row).lower;
      work.Mp -= work.p[row] * problem.M.col(row);
      work.p[row] = 0;
    }
  }

  /// Conjugate gradients for M_FF d = −g_F from zero on the rows strictly within bounds; d is left
  /// in `trial`.
  /// @return  false if there is nothing to gain
  bool descend_on_free_rows() {
    for (Index i = 0; i < n(); ++i) {
      const Bounds bound = bounds(problem, i);
      work.free[static_cast<std::size_t>(i)] = z[i] > bound.lower && z[i] < bound.upper ? 1 : 0;
      work.r[i] = work.free[static_cast<std::size_t>(i)] != 0 ? -work.g[i] : 0.0;
    }
    work.trial.setZero(n());
    work.s = work.r.cwiseQuotient(work.D);
    work.p = work.s;
    double size = work.r.dot(work.s);
    const double small = 1e-28 * size;
    for (Index k = 0; k < 2 * n() && size > small; ++k) {
      work.Mp.noalias() = problem.M * work.p;
      const double curvature = work.p.dot(work.Mp);
      if (curvature <= kFlat * work.p.cwiseAbs2().dot(work.D)) break;
      const double length = size / curvature;
      work.trial += length * work.p;
      for (Index i = 0; i < n(); ++i)
        if (work.free[static_cast<std::size_t>(i)] != 0) work.r[i] -= length * work.Mp[i];
      work.s = work.r.cwiseQuotient(work.D);
      const double next = work.r.dot(work.s);
      work.p = work.s + next / size * work.p;
      size = next;
    }
    return work.g.dot(work.trial) < 0;
  }

  /// Along P(z + t d) the first of t = 1, ½, … that descends.
  void search() {
    work.p = work.trial;
    for (double t = 1; t > 1e-6; t *= 0.5) {
      for (Index i = 0; i < n(); ++i)
        work.trial[i] = bounds(problem, i).project(z[i] + t * work.p[i]);
      if (change(work.trial) >= 0) continue;
      z = work.trial;
      return;
    }
  }

  void pass() {
    set_gradient();
    go_to_cauchy_point();
    if (unbounded) return;
    set_gradient();
    if (descend_on_free_rows()) search();
  }
};

template <class Problem>
void run_projection(const Problem& problem, const LcpOptions& options,
                    const Eigen::VectorXd& warm_start, LcpWorkspace& workspace,
                    LcpSolution& solution) {
  if (!begin_lcp(problem, warm_start, workspace, solution, "gradient-projection")) return;
  if (!may_be_semidefinite(problem.M)) {
    measure(problem, solution);
    solution.reason = "M is not symmetric positive semidefinite";
    return;
  }
  GradientProjection<Problem> method{problem, workspace.gradient_projection, solution.z};
  method.begin(workspace.start);
  const int limit = options.max_iterations > 0 ? options.max_iterations : 2000;
  double best = std::numeric_limits<double>::infinity();
  int idle = 0;
  measure(problem, solution);
  while (solution.pivots < limit && idle < 100 && !method.unbounded &&
         solution.residuals.relative > 1e-14) {
    method.pass();
    ++solution.pivots;
    // A refined set may have a higher objective; as an answer it is tried, not as an iterate.
    workspace.best = solution.z;
    refine_lcp(problem, workspace, solution);
    measure(problem, solution);
    if (solution.residuals.relative > 1e-14) std::swap(solution.z, workspace.best);
    idle = solution.residuals.relative < 0.9 * best ? 0 : idle + 1;
    best = std::min(best, solution.residuals.relative);
  }
  refine_lcp(problem, workspace, solution);
  finish_lcp(problem, options, solution);
  if (solution.status == SolveStatus::solved || !method.unbounded) return;
  solution.reason = "the objective falls for ever along a direction, which proves nothing here";
  workspace.kept = workspace.gradient_projection.p;
  accept_certificate(problem, workspace.kept, solution);
}

}  // namespace

void solve_lcp_by_gradient_projection(const LcpProblem& problem, const LcpOptions& options,
                                      const Eigen::VectorXd& warm_start, LcpWorkspace& workspace,
                                      LcpSolution& solution) {
  run_projection(problem, options, warm_start, workspace, solution);
  if (solution.status == SolveStatus::failed) look_for_certificate(problem, solution);
}

void solve_box_by_gradient_projection(const BoxProblem& problem, const LcpOptions& options,
                                      const Eigen::VectorXd& warm_start, LcpWorkspace& workspace,
                                      LcpSolution& solution) {
  run_projection(problem, options, warm_start, workspace, solution);
}

}  // namespace pequod
