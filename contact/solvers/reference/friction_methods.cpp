#include "contact/solvers/reference/friction_methods.h"

#include "contact/solvers/friction/dense/friction_buffers.h"

namespace pequod {

namespace {

/// A law the method does not serve: no r, and why.
void refuse(const FrictionProblem& problem, const char* reason, FrictionSolution& solution) {
  solution.r.setConstant(problem.q.size(), NAN);
  solution.u = solution.r;
  solution.modes.assign(problem.mu.size(), FrictionMode::open);
  solution.residuals = {};
  solution.exact = false;
  solution.iterations = 0;
  solution.status = SolveStatus::failed;
  solution.reason = reason;
}

/// Checks, converts, calls `iterate(buffers)` for the number of iterations, and measures.
template <class Iterate>
void solve_by(std::string_view method, const FrictionProblem& problem,
              const FrictionOptions& options, std::span<const double> warm_start,
              FrictionWorkspace& workspace, FrictionSolution& solution, Iterate iterate) {
  FrictionWorkspace::Buffers& b = workspace.buffers();
  scale_friction(problem, b.problem);
  start_from(b.problem, problem.dimension, warm_start, b.rho);
  solution.method = method;
  solution.iterations = iterate(b);
  finish(problem, b.problem, b.rho, solution);
  judge(options, solution);
}

/// Newton from b.rho, then exact modes; returns the steps.
int newton_to_modes(const FrictionOptions& options, FrictionWorkspace::Buffers& b) {
  NewtonSettings settings;
  settings.iterations = options.max_iterations > 0 ? options.max_iterations : 50;
  settings.tolerance = options.tolerance;
  const NewtonResult result = solve_newton(b.problem, settings, b.newton, b.rho);
  if (!b.problem.associated) make_exact(b.problem, b.newton, b.finish, b.rho);
  return result.iterations;
}

SweepSettings sweep_settings(const FrictionOptions& options) {
  SweepSettings settings;
  if (options.max_iterations > 0) settings.sweeps = options.max_iterations;
  settings.tolerance = options.tolerance;
  return settings;
}

/// min ½ρᵀWρ + ρᵀq over the cones; a row ρ_n ≥ 0 where there is none.
void state_cone_program(const ScaledFriction& problem, ConeProgram& program) {
  program.A = problem.W;
  program.b = problem.q;
  program.mu = problem.mu;
  const double S = std::max(problem.q_norm, problem.scale);
  program.scale = S > 0 ? S : 1;
  program.cones.clear();
  const auto has_cone = [&](int i) { return problem.mu[i] > 0 && problem.mu[i] < kNoSlipFriction; };
  int rows = 0;
  for (int i = 0; i < problem.n; ++i) {
    if (has_cone(i)) program.cones.push_back(i);
    rows += !has_cone(i);
  }
  program.B.setZero(rows, problem.rows());
  program.c.setZero(rows);
  int row = 0;
  for (int i = 0; i < problem.n; ++i)
    if (!has_cone(i)) program.B(row++, 3 * i) = 1;
}

constexpr const char* kNoRolling = "the method has no equations for rolling friction";

}  // namespace

void solve_friction_newton(const FrictionProblem& problem, const FrictionOptions& options,
                           std::span<const double> warm_start, FrictionWorkspace& workspace,
                           FrictionSolution& solution) {
  check(problem);
  solution.method = "semismooth-newton";
  if (problem.dimension == 5) return refuse(problem, kNoRolling, solution);
  solve_by(solution.method, problem, options, warm_start, workspace, solution,
           [&](FrictionWorkspace::Buffers& b) { return newton_to_modes(options, b); });
}

void solve_nsgs(const FrictionProblem& problem, const FrictionOptions& options,
                std::span<const double> warm_start, FrictionWorkspace& workspace,
                FrictionSolution& solution) {
  check(problem);
  solution.method = "nsgs";
  if (problem.dimension == 5) return refuse(problem, kNoRolling, solution);
  if (problem.associated)
    return refuse(problem, "its solve of one contact knows no associated law", solution);
  solve_by(solution.method, problem, options, warm_start, workspace, solution,
           [&](FrictionWorkspace::Buffers& b) {
             return sweep_exact(b.problem, sweep_settings(options), b.sweep, b.rho).sweeps;
           });
}

void solve_projected_gauss_seidel(const FrictionProblem& problem, const FrictionOptions& options,
                                  std::span<const double> warm_start, FrictionWorkspace& workspace,
                                  FrictionSolution& solution) {
  check(problem);
  solve_by("pgs", problem, options, warm_start, workspace, solution,
           [&](FrictionWorkspace::Buffers& b) {
             return sweep_projected(b.problem, sweep_settings(options), b.sweep, b.rho).sweeps;
           });
}

void solve_friction_admm(const FrictionProblem& problem, const FrictionOptions& options,
                         std::span<const double> warm_start, FrictionWorkspace& workspace,
                         FrictionSolution& solution) {
  check(problem);
  solve_by("admm", problem, options, warm_start, workspace, solution,
           [&](FrictionWorkspace::Buffers& b) {
             AdmmSettings settings;
             settings.iterations = options.max_iterations > 0 ? options.max_iterations : 2000;
             settings.tolerance = options.tolerance;
             return solve_admm(b.problem, settings, b.admm, b.rho).iterations;
           });
}

void solve_proximal(const FrictionProblem& problem, const FrictionOptions& options,
                    std::span<const double> warm_start, FrictionWorkspace& workspace,
                    FrictionSolution& solution) {
  check(problem);
  solution.method = "proximal";
  if (problem.dimension == 5) return refuse(problem, kNoRolling, solution);
  solve_by(solution.method, problem, options, warm_start, workspace, solution,
           [&](FrictionWorkspace::Buffers& b) {
             ProximalSettings settings;
             if (options.max_iterations > 0) settings.newton_iterations = options.max_iterations;
             if (warm_start.empty()) b.rho.setZero();
             const int steps =
                 follow_proximal_path(b.problem, settings, b.newton, b.proximal, b.rho).iterations;
             return steps + newton_to_modes(options, b);
           });
}

void solve_friction_interior_point(const FrictionProblem& problem, const FrictionOptions& options,
                                   std::span<const double> warm_start, FrictionWorkspace& workspace,
                                   FrictionSolution& solution) {
  check(problem);
  solution.method = "interior-point";
  if (problem.dimension == 5) return refuse(problem, kNoRolling, solution);
  if (!problem.associated)
    return refuse(problem, "Coulomb's law is no convex program; only the associated law is",
                  solution);
  solve_by(solution.method, problem, options, warm_start, workspace, solution,
           [&](FrictionWorkspace::Buffers& b) {
             state_cone_program(b.problem, b.program);
             InteriorPointSettings settings;
             if (options.max_iterations > 0) settings.iterations = options.max_iterations;
             const int steps =
                 solve_cone_program(b.program, settings, b.interior_point, b.rho).iterations;
             b.best = b.rho;
             const double before = natural_residual(b.problem, b.rho, b.sweep.u);
             newton_to_modes(options, b);
             if (natural_residual(b.problem, b.rho, b.sweep.u) > before) b.rho = b.best;
             return steps;
           });
}

}  // namespace pequod
