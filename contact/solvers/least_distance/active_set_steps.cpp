#include "contact/solvers/least_distance/active_set_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "contact/solvers/linear/small_vector_operations.h"

namespace pequod {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Blocking {
  double step = infinity;
  Index position = -1;
};

/// How far the multipliers u − t r stay ≥ 0, and which is the first to vanish.
Blocking first_to_vanish(const LeastDistanceWorkspace& workspace) {
  const ActiveSetFactor& B = workspace.factor;
  double largest = 1.0;
  for (Index j = 0; j < B.size(); ++j) largest = std::max(largest, std::abs(workspace.r[j]));
  Blocking first;
  for (Index j = 0; j < B.size(); ++j) {
    // An entry at rounding must not block: its sign says nothing.
    if (workspace.r[j] <= 1e-13 * largest) continue;
    const double step = std::max(workspace.u[j], 0.0) / workspace.r[j];
    const bool tie = step == first.step && B.rows()[j] < B.rows()[first.position];
    if (step < first.step || tie) first = {step, j};
  }
  return first;
}

/// Row p cannot be met: with z = 0 and r ≤ 0, g_p = A r is a proof.
SolveStatus write_ray(int p, LeastDistanceWorkspace& workspace, LeastDistanceSolution& solution) {
  const ActiveSetFactor& B = workspace.factor;
  workspace.ray.assign(B.rows().begin(), B.rows().end());
  for (Index j = 0; j < B.size(); ++j) workspace.u[j] = std::max(0.0, -workspace.r[j]);
  workspace.u[B.size()] = 1.0;
  workspace.ray.push_back(p);
  solution.reason = "the active inequalities contradict each other";
  return SolveStatus::no_solution;
}

/// Brings the violated row p into B, after the rows that stand in its way have left.
SolveStatus enter(int p, const LeastDistanceOptions& options, LeastDistanceWorkspace& workspace,
                  LeastDistanceSolution& solution) {
  ActiveSetFactor& B = workspace.factor;
  workspace.problem.unit_row(p, workspace.g);
  while (true) {
    const double z = B.split(workspace.g.head(workspace.problem.dimension()));
    std::copy_n(B.coordinates().data(), B.size(), workspace.r.data());
    B.solve_upper(workspace.r.data());
    const Blocking dual = first_to_vanish(workspace);
    const double shortfall = std::max(0.0, -workspace.problem.slack(p, workspace.y));
    const double primal =
        z > dependence_bound(p, options, workspace) ? shortfall / (z * z) : infinity;
    if (primal == infinity && dual.step == infinity) {
      // Rows that oppose each other, as the normals of a foot in a crease that does not slip, meet
      // at zero; rounding is magnified where nearly dependent equalities leave little of them.
      if (shortfall > options.contradiction * workspace.problem.scale())
        return write_ray(p, workspace, solution);
      workspace.problem.retire(p);
      return SolveStatus::solved;
    }

    if (primal <= dual.step) {
      B.append(p);
      ++solution.pivots;
      solve_on_active_set(workspace);
      return SolveStatus::solved;
    }
    for (Index j = 0; j < B.size(); ++j) workspace.u[j] -= dual.step * workspace.r[j];
    if (primal < infinity)
      add_scaled(dual.step, B.remainder().data(), workspace.y.data(),
                 workspace.problem.dimension());
    remove_row(dual.position, workspace, solution);
  }
}

/// Rows with negative multipliers leave, the most negative first; returns how many.
Index drop_negative_multipliers(const LeastDistanceOptions& options, Index most,
                                LeastDistanceWorkspace& workspace,
                                LeastDistanceSolution& solution) {
  const double zero = options.negative * workspace.problem.scale();
  Index dropped = 0;
  for (; dropped < most; ++dropped) {
    const Index j = most_negative_multiplier(workspace, zero);
    if (j < 0) break;
    remove_row(j, workspace, solution);
    solve_on_active_set(workspace);
  }
  return dropped;
}

/// Prepares the problem, empties B and adds the independent rows of the warm start to it.
/// @return  `solved` if there is something to solve, else the verdict
SolveStatus begin(const LeastDistanceProblem& problem, const LeastDistanceOptions& options,
                  std::span<const int> warm_start, LeastDistanceWorkspace& workspace,
                  LeastDistanceSolution& solution) {
  solution.reason.clear();
  solution.pivots = solution.switches = 0;
  solution.residuals = {};
  const SolveStatus status = workspace.problem.prepare(problem, options, solution);
  const Index m = workspace.problem.dimension(), n = workspace.problem.rows();
  // Room for the problem without equalities: the next one may have fewer.
  const Index most = workspace.problem.full_dimension();
  ActiveSetFactor& B = workspace.factor;
  B.reset(m, n, most);
  for (VectorXd* x : {&workspace.y, &workspace.u, &workspace.g, &workspace.r}) grow(*x, most + 1);
  workspace.ray.clear();
  workspace.ray.reserve(static_cast<std::size_t>(most) + 1);
  solution.active.reserve(most);
  if (status != SolveStatus::solved) return status;

  for (const int row : warm_start) {
    if (row < 0 || row >= n)
      throw std::invalid_argument("least-distance problem: the warm start names row " +
                                  std::to_string(row) + " of " + std::to_string(n));
    if (B.contains(row) || workspace.problem.idle(row)) continue;
    workspace.problem.unit_row(row, workspace.g);
    if (B.split(workspace.g.head(m)) > dependence_bound(row, options, workspace)) B.append(row);
  }
  solve_on_active_set(workspace);
  return status;
}

/// Writes the answer in terms of the original problem and checks its residuals.
void finish(const LeastDistanceProblem& problem, const LeastDistanceOptions& options,
            SolveStatus status, LeastDistanceWorkspace& workspace,
            LeastDistanceSolution& solution) {
  const ActiveSetFactor& B = workspace.factor;
  solution.status = status;
  solution.active.assign(B.rows().begin(), B.rows().end());
  if (status == SolveStatus::solved) {
    for (Index j = 0; j < B.size(); ++j) workspace.u[j] = std::max(0.0, workspace.u[j]);
    workspace.problem.expand(workspace.y, B.rows(), workspace.u, solution);
    check_residuals(problem, options, solution);
  } else if (!workspace.ray.empty()) {
    workspace.problem.expand_ray(workspace.ray, workspace.u, solution);
  }
}

}  // namespace

void solve_by(ActiveSetSteps steps, const LeastDistanceProblem& problem,
              const LeastDistanceOptions& options, std::span<const int> warm_start,
              LeastDistanceWorkspace& workspace, LeastDistanceSolution& solution) {
  SolveStatus status = begin(problem, options, warm_start, workspace, solution);
  if (status == SolveStatus::solved) status = steps(options, workspace, solution);
  finish(problem, options, status, workspace, solution);
}

double dependence_bound(int p, const LeastDistanceOptions& options,
                        const LeastDistanceWorkspace& workspace) {
  constexpr double kDirectionNoise = 1e-14;  // some roundings of a row of length one
  const ReducedProblem& problem = workspace.problem;
  double least = problem.left(p);
  for (const int row : workspace.factor.rows()) least = std::min(least, problem.left(row));
  return std::max(options.dependent, kDirectionNoise * problem.left(p) / least);
}

void solve_on_active_set(LeastDistanceWorkspace& workspace) {
  const ActiveSetFactor& B = workspace.factor;
  const Eigen::Map<const VectorXd> y0 = workspace.problem.y0();
  double* a = workspace.u.data();
  for (Index j = 0; j < B.size(); ++j) a[j] = workspace.problem.c(B.rows()[j]);
  B.solve_upper_transposed(a);
  B.subtract_Q_transposed(y0.data(), a);
  std::copy_n(y0.data(), y0.size(), workspace.y.data());
  B.apply_Q(a, workspace.y.data());
  B.solve_upper(a);
}

SolveStatus take_dual_steps(const LeastDistanceOptions& options, LeastDistanceWorkspace& workspace,
                            LeastDistanceSolution& solution) {
  const ReducedProblem& problem = workspace.problem;
  drop_negative_multipliers(options, problem.dimension(), workspace, solution);
  const int limit = pivot_limit(options, workspace);
  Index repairs = problem.dimension();
  while (true) {
    const int p = problem.most_violated(workspace.y, options.violated * problem.scale(),
                                        [&](auto i) { return workspace.factor.contains(i); });
    if (p < 0) {
      // In theory none is negative here; with nearly equal rows in B rounding makes some so. The
      // count is bounded because each one undoes part of the ascent that ends the method.
      const Index dropped = drop_negative_multipliers(options, repairs, workspace, solution);
      if (dropped == 0) return SolveStatus::solved;
      repairs -= dropped;
      continue;
    }
    if (solution.pivots >= limit) {
      solution.reason = "the limit of pivots is reached";
      return SolveStatus::failed;
    }
    const SolveStatus status = enter(p, options, workspace, solution);
    if (status != SolveStatus::solved) return status;
  }
}

int pivot_limit(const LeastDistanceOptions& options, const LeastDistanceWorkspace& workspace) {
  if (options.max_pivots > 0) return options.max_pivots;
  return static_cast<int>(100 +
                          10 * (workspace.problem.full_dimension() + workspace.problem.rows()));
}

Index most_negative_multiplier(const LeastDistanceWorkspace& workspace, double tolerance) {
  const std::span<const int> rows = workspace.factor.rows();
  Index least = -1;
  double bound = -tolerance;
  for (Index j = 0; j < workspace.factor.size(); ++j) {
    const double u = workspace.u[j];
    if (u < bound || (least >= 0 && u == bound && rows[j] < rows[least])) {
      bound = u;
      least = j;
    }
  }
  return least;
}

void remove_row(Index position, LeastDistanceWorkspace& workspace,
                LeastDistanceSolution& solution) {
  double* u = workspace.u.data();
  std::copy(u + position + 1, u + workspace.factor.size(), u + position);
  workspace.factor.remove(position);
  ++solution.pivots;
}

}  // namespace pequod
