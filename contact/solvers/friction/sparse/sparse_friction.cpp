#include "contact/solvers/friction/sparse/sparse_friction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "contact/solvers/friction/friction_local.h"
#include "contact/solvers/friction/sparse/sparse_friction_buffers.h"

namespace pequod {

namespace {

constexpr double kLeastTolerance = 1e-9;
constexpr double kNear = 1e-2;  // natural residual of a warm start for Newton's method
constexpr int kWarmSteps = 8;   // of it

double tolerance(const FrictionOptions& options) {
  return std::max(options.tolerance, kLeastTolerance);
}

void refuse(const SparseFrictionProblem& problem, const char* reason, FrictionSolution& solution) {
  solution.status = SolveStatus::failed;
  solution.r.setConstant(problem.q.size(), NAN);
  solution.u = solution.r;
  solution.modes.assign(problem.mu.size(), FrictionMode::open);
  solution.residuals = {};
  solution.reason = reason;
}

/// r of ρ, measured and judged.
void finish(const SparseFrictionProblem& problem, const FrictionOptions& options,
            const BlockFriction& blocks, const Eigen::VectorXd& rho, std::string_view method,
            int iterations, FrictionSolution& solution) {
  solution.method = method;
  solution.iterations = iterations;
  solution.r.resize(problem.q.size());
  for (int i = 0; i < blocks.n; ++i)
    for (int k = 0; k < problem.dimension; ++k)
      solution.r[problem.dimension * i + k] = blocks.d[i] * rho[3 * i + k];
  measure(problem, solution);
  judge(options, solution);
}

void sweep(const BlockFriction& problem, Eigen::VectorXd& rho) {
  for (int i = 0; i < problem.n; ++i) {
    double* r = rho.data() + 3 * i;
    const double* W = problem.blocks.data() + 9 * static_cast<std::ptrdiff_t>(problem.diagonal[i]);
    std::array<double, 3> q;
    problem.velocity(i, rho.data(), q.data());
    for (int k = 0; k < 3; ++k) q[k] -= W[3 * k] * r[0] + W[3 * k + 1] * r[1] + W[3 * k + 2] * r[2];
    solve_contact(W, q.data(), problem.mu[i], r);
  }
}

/// At most `count` sweeps; returns whether the natural map fell below the tolerance.
bool sweeps(const BlockFriction& problem, int count, double tolerance, Eigen::VectorXd& rho,
            Eigen::VectorXd& u, int& done) {
  constexpr int kSparseLook = 20;
  for (int k = 1; k <= count; ++k) {
    sweep(problem, rho);
    ++done;
    if (k % kSparseLook == 0 && natural_residual(problem, rho, u) <= tolerance) return true;
  }
  return natural_residual(problem, rho, u) <= tolerance;
}

/// Newton's method from b.rho with compliance ε about its own last result; ε falls tenfold where
/// that converges and rises where it does not. Returns whether the natural map fell below
/// `accepted`.
bool follow_compliance(BlockNewtonSettings settings, double accepted,
                       SparseFrictionWorkspace::Buffers& b) {
  constexpr int kRounds = 40;
  constexpr double kFirst = 1e-2, kFall = 0.1, kRise = 6;
  const double tolerance = settings.tolerance;
  b.centre = b.rho;
  settings.centre = &b.centre;
  settings.compliance = kFirst;
  for (int round = 0; round < kRounds; ++round) {
    // No more exact than the step that the compliance leaves to be done.
    settings.tolerance = std::max(tolerance, 1e-4 * settings.compliance);
    if (solve_newton(b.problem, settings, b.newton, b.rho).converged) {
      b.centre = b.rho;
      settings.compliance *= kFall;
      if (natural_residual(b.problem, b.rho, b.u) <= std::min(accepted, tolerance)) return true;
    } else {
      b.rho = b.centre;
      settings.compliance *= kRise;
    }
  }
  return natural_residual(b.problem, b.rho, b.u) <= accepted;
}

const char* refusal(const SparseFrictionProblem& problem) {
  if (problem.dimension == 5) return "the method has no equations for rolling friction";
  if (problem.associated) return "its solve of one contact knows no associated law";
  return nullptr;
}

}  // namespace

void solve_sparse_newton(const SparseFrictionProblem& problem, const FrictionOptions& options,
                         std::span<const double> warm_start, SparseFrictionWorkspace& workspace,
                         FrictionSolution& solution) {
  check(problem);
  if (const char* reason = refusal(problem)) return refuse(problem, reason, solution);
  SparseFrictionWorkspace::Buffers& b = workspace.buffers();
  pose_blocks(problem, b.problem);
  BlockNewtonSettings settings;
  settings.tolerance = tolerance(options);
  if (options.max_iterations > 0) settings.iterations = options.max_iterations;
  start_from(b.problem, problem.dimension, warm_start, b.swept);
  int done = 0;
  const auto end = [&](const Eigen::VectorXd& rho, std::string_view method, int iterations) {
    finish(problem, options, b.problem, rho, method, iterations, solution);
    return solution.status == SolveStatus::solved;
  };
  // From what is nearly the solution Newton's method alone gets there.
  if (!warm_start.empty() && natural_residual(b.problem, b.swept, b.u) <= kNear) {
    b.rho = b.swept;
    BlockNewtonSettings few = settings;
    few.iterations = std::min(settings.iterations, kWarmSteps);
    const BlockNewtonResult result = solve_newton(b.problem, few, b.newton, b.rho);
    if (result.converged && end(b.rho, "warm", result.iterations)) return;
  }
  for (const int count : {100, 300}) {
    if (sweeps(b.problem, count, settings.tolerance, b.swept, b.u, done)) {
      end(b.swept, "nsgs", done);
      return;
    }
    // Sweeps go on from their own end: a failed Newton method leaves nothing near a solution.
    b.rho = b.swept;
    const int steps = solve_newton(b.problem, settings, b.newton, b.rho).iterations;
    if (natural_residual(b.problem, b.rho, b.u) <= options.accepted && end(b.rho, "newton", steps))
      return;
  }
  b.rho = b.swept;
  if (follow_compliance(settings, options.accepted, b) && end(b.rho, "compliance", 0)) return;
  sweeps(b.problem, 20000, settings.tolerance, b.swept, b.u, done);
  end(b.swept, "nsgs", done);
}

void solve_sparse_nsgs(const SparseFrictionProblem& problem, const FrictionOptions& options,
                       std::span<const double> warm_start, SparseFrictionWorkspace& workspace,
                       FrictionSolution& solution) {
  check(problem);
  if (const char* reason = refusal(problem)) return refuse(problem, reason, solution);
  SparseFrictionWorkspace::Buffers& b = workspace.buffers();
  pose_blocks(problem, b.problem);
  start_from(b.problem, problem.dimension, warm_start, b.rho);
  int done = 0;
  const int count = options.max_iterations > 0 ? options.max_iterations : 20000;
  sweeps(b.problem, count, tolerance(options), b.rho, b.u, done);
  finish(problem, options, b.problem, b.rho, "nsgs", done, solution);
}

void solve_sparse_admm(const SparseFrictionProblem& problem, const FrictionOptions& options,
                       std::span<const double> warm_start, SparseFrictionWorkspace& workspace,
                       FrictionSolution& solution) {
  check(problem);
  if (problem.dimension == 5) return refuse(problem, refusal(problem), solution);
  SparseFrictionWorkspace::Buffers& b = workspace.buffers();
  pose_blocks(problem, b.problem);
  start_from(b.problem, problem.dimension, warm_start, b.rho);
  BlockAdmmSettings settings;
  settings.tolerance = tolerance(options);
  if (options.max_iterations > 0) settings.iterations = options.max_iterations;
  const BlockAdmmResult result = solve_admm(b.problem, settings, b.admm, b.rho);
  finish(problem, options, b.problem, b.rho, "admm", result.iterations, solution);
}

}  // namespace pequod
