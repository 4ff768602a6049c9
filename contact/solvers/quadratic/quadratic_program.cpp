#include "contact/solvers/quadratic/quadratic_program.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "contact/solvers/least_distance/dual.h"
#include "contact/solvers/linear/decompositions.h"

namespace pequod {

namespace {

void check_sizes(const QuadraticProblem& problem) {
  const Index n = problem.q.size(), k = problem.b.size();
  const auto size = [](const MatrixXd& A) {
    return std::to_string(A.rows()) + "×" + std::to_string(A.cols());
  };
  if (problem.M.rows() != n || problem.M.cols() != n || problem.lower.size() != n)
    throw std::invalid_argument("quadratic program: M is " + size(problem.M) + ", lower has " +
                                std::to_string(problem.lower.size()) + " entries but q has " +
                                std::to_string(n));
  if (problem.A.rows() != k || (k > 0 && problem.A.cols() != n))
    throw std::invalid_argument("quadratic program: A is " + size(problem.A) + " but b has " +
                                std::to_string(k) + " entries and q has " + std::to_string(n));
}

/// M + shift = L Lᵀ; false if a pivot is not above `least`.
bool factor(const MatrixXd& M, double shift, double least, QuadraticWorkspace& work) {
  work.shifted = M;
  work.shifted.diagonal().array() += shift;
  factorise(work.shifted, work.factor);
  return work.factor.info() == Eigen::Success &&
         (M.size() == 0 || work.factor.matrixLLT().diagonal().cwiseAbs2().minCoeff() > least);
}

/// @return  ε
double begin(const QuadraticProblem& problem, QuadraticWorkspace& work) {
  const Index n = problem.q.size(), k = problem.b.size();
  work.bounded.clear();
  for (int i = 0; i < n; ++i)
    if (std::isfinite(problem.lower[i])) work.bounded.push_back(i);
  const double size = n > 0 ? problem.M.diagonal().maxCoeff() : 0.0;
  // Below the first bound M is treated as singular. ε must be small beside what is not, and large
  // beside rounding.
  double shift = 0;
  if (!factor(problem.M, 0, 1e-10 * size, work)) {
    shift = 1e-5 * (size > 0 ? size : 1.0);
    if (!factor(problem.M, shift, 0, work)) return -1;
  }
  const auto bounds = static_cast<Index>(work.bounded.size());
  LeastDistanceProblem& nearest = work.nearest;
  nearest.E.resize(n, 0);
  nearest.e.resize(0);
  nearest.G.setZero(n, bounds + k);
  nearest.c.resize(bounds + k);
  for (Index i = 0; i < bounds; ++i) {
    nearest.G(work.bounded[i], i) = 1;
    nearest.c[i] = problem.lower[work.bounded[i]];
  }
  for (Index i = 0; i < k; ++i) {
    nearest.G.col(bounds + i) = problem.A.row(i).transpose();
    nearest.c[bounds + i] = problem.b[i];
  }
  if (n > 0) work.factor.matrixL().solveInPlace(nearest.G);
  return shift;
}

/// One step around workspace.centre; x, mu and lambda from it.
void step(const QuadraticProblem& problem, double shift, bool again, QuadraticWorkspace& work,
          QuadraticSolution& solution) {
  work.nearest.y0 = shift * work.centre - problem.q;
  if (problem.q.size() > 0) work.factor.matrixL().solveInPlace(work.nearest.y0);
  LeastDistanceOptions options;
  if (again) {
    work.active.assign(work.solution.active.begin(), work.solution.active.end());
    solve_dual(work.nearest, options, work.active, work.workspace, work.solution);
  } else {
    solve_dual(work.nearest, options, {}, work.workspace, work.solution);
  }
  solution.pivots += work.solution.pivots;
  ++solution.steps;
  const auto bounds = static_cast<Index>(work.bounded.size());
  solution.mu.setZero(problem.q.size());
  for (Index i = 0; i < bounds; ++i) solution.mu[work.bounded[i]] = work.solution.f[i];
  solution.lambda = work.solution.f.tail(problem.b.size());
  if (work.solution.status != SolveStatus::solved) return;
  solution.x = work.solution.y;
  if (problem.q.size() > 0) work.factor.matrixU().solveInPlace(solution.x);
  for (const int i : work.bounded) solution.x[i] = std::max(solution.x[i], problem.lower[i]);
  for (const int row : work.solution.active) {
    if (row >= bounds) continue;
    const int i = work.bounded[row];
    solution.x[i] = problem.lower[i];
  }
}

void measure(const QuadraticProblem& problem, QuadraticWorkspace& work,
             QuadraticSolution& solution) {
  QuadraticResiduals& residuals = solution.residuals;
  residuals = {0, 0, 0};
  const auto largest = [](const VectorXd& v) {
    return v.size() > 0 ? v.cwiseAbs().maxCoeff() : 0.0;
  };
  work.slack = problem.q - solution.mu;
  work.slack.noalias() += problem.M * solution.x;
  if (problem.b.size() > 0) work.slack.noalias() -= problem.A.transpose() * solution.lambda;
  const double force = std::max({largest(problem.q), largest(solution.mu), 1e-300});
  const double length = std::max(largest(solution.x), 1e-300);
  residuals.stationarity = largest(work.slack) / force;
  for (const int i : work.bounded) {
    const double slack = solution.x[i] - problem.lower[i];
    residuals.infeasibility = std::max(residuals.infeasibility, -slack / length);
    residuals.complementarity =
        std::max(residuals.complementarity, std::abs(solution.mu[i] * slack) / (force * length));
  }
  for (Index i = 0; i < problem.b.size(); ++i) {
    const double size = std::max(problem.A.row(i).norm() * length, std::abs(problem.b[i]));
    const double slack = problem.A.row(i).dot(solution.x) - problem.b[i];
    residuals.infeasibility = std::max(residuals.infeasibility, -slack / std::max(size, 1e-300));
    residuals.complementarity = std::max(residuals.complementarity,
                                         std::abs(solution.lambda[i] * slack) / (force * length));
  }
}

bool good(const QuadraticResiduals& residuals, double limit) {
  return residuals.stationarity <= limit && residuals.infeasibility <= limit &&
         residuals.complementarity <= limit;
}

}  // namespace

void solve_quadratic_program(const QuadraticProblem& problem, const QuadraticOptions& options,
                             QuadraticWorkspace& work, QuadraticSolution& solution) {
  check_sizes(problem);
  solution.status = SolveStatus::failed;
  solution.reason.clear();
  solution.pivots = solution.steps = 0;
  solution.residuals = {};
  solution.x.setZero(problem.q.size());
  if (work.centre.size() != problem.q.size()) work.centre.setZero(problem.q.size());
  const double shift = may_be_semidefinite(problem.M) ? begin(problem, work) : -1;
  if (shift < 0) {
    solution.reason = "M is not symmetric positive semidefinite";
    return;
  }
  double before = INFINITY;
  for (int k = 0; k < options.max_steps; ++k) {
    step(problem, shift, k > 0, work, solution);
    if (work.solution.status == SolveStatus::no_solution) {
      solution.status = SolveStatus::no_solution;
      solution.reason = work.solution.reason;
      return;
    }
    measure(problem, work, solution);
    if (work.solution.status == SolveStatus::failed) break;
    // Once the residual is good, the steps go on while they still gain much.
    const bool stays = !(solution.residuals.stationarity < 0.5 * before);
    if (shift == 0 || (good(solution.residuals, options.residual) && stays)) break;
    before = solution.residuals.stationarity;
    work.centre = solution.x;
  }
  if (good(solution.residuals, options.residual)) {
    solution.status = SolveStatus::solved;
    return;
  }
  char text[120];
  std::snprintf(text, sizeof text, "after %d steps the stationarity is off by %.1e", solution.steps,
                solution.residuals.stationarity);
  solution.reason = text;
}

}  // namespace pequod
