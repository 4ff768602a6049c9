#include "contact/solvers/friction/sparse/sparse_friction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "contact/solvers/friction/friction_buffers.h"
#include "contact/solvers/friction/friction_local.h"

namespace pequod {

namespace {

constexpr double kLeastTolerance = 1e-9;
constexpr double kNear = 1e-2;  // natural residual of a warm start for Newton's method
constexpr int kWarmSteps = 8;   // of it
constexpr int kSteps = 25;      // from swept impulses

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
  unscale(blocks, problem.dimension, rho, solution.r);
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
bool follow_compliance(NewtonSettings settings, double accepted, FrictionWorkspace::Buffers& b) {
  constexpr int kRounds = 40;
  constexpr double kFirst = 1e-2, kFall = 0.1, kRise = 6;
  const double tolerance = settings.tolerance;
  b.centre = b.rho;
  settings.centre = &b.centre;
  settings.compliance = kFirst;
  for (int round = 0; round < kRounds; ++round) {
    // No more exact than the step that the compliance leaves to be done.
    settings.tolerance = std::max(tolerance, 1e-4 * settings.compliance);
    if (solve_newton(b.blocks, settings, b.block_newton, b.rho).converged) {
      b.centre = b.rho;
      settings.compliance *= kFall;
      if (natural_residual(b.blocks, b.rho, b.u) <= std::min(accepted, tolerance)) return true;
    } else {
      b.rho = b.centre;
      settings.compliance *= kRise;
    }
  }
  return natural_residual(b.blocks, b.rho, b.u) <= accepted;
}

const char* refusal(const SparseFrictionProblem& problem) {
  if (problem.dimension == 5) return "the method has no equations for rolling friction";
  if (problem.associated) return "its solve of one contact knows no associated law";
  return nullptr;
}

}  // namespace

void solve_sparse_newton(const SparseFrictionProblem& problem, const FrictionOptions& options,
                         std::span<const double> warm_start, FrictionWorkspace& workspace,
                         FrictionSolution& solution) {
  check(problem);
  if (const char* reason = refusal(problem)) return refuse(problem, reason, solution);
  FrictionWorkspace::Buffers& b = workspace.buffers();
  pose_blocks(problem, b.blocks);
  NewtonSettings settings;
  settings.tolerance = std::max(options.tolerance, kLeastTolerance);
  settings.iterations = options.max_iterations > 0 ? options.max_iterations : kSteps;
  start_from(b.blocks, problem.dimension, warm_start, b.swept);
  int done = 0;
  const auto end = [&](const Eigen::VectorXd& rho, std::string_view method, int iterations) {
    finish(problem, options, b.blocks, rho, method, iterations, solution);
    return solution.status == SolveStatus::solved;
  };
  // From what is nearly the solution Newton's method alone gets there.
  if (!warm_start.empty() && natural_residual(b.blocks, b.swept, b.u) <= kNear) {
    b.rho = b.swept;
    NewtonSettings few = settings;
    few.iterations = std::min(settings.iterations, kWarmSteps);
    const NewtonResult result = solve_newton(b.blocks, few, b.block_newton, b.rho);
    if (result.converged && end(b.rho, "warm", result.iterations)) return;
  }
  for (const int count : {100, 300}) {
    if (sweeps(b.blocks, count, settings.tolerance, b.swept, b.u, done)) {
      end(b.swept, "nsgs", done);
      return;
    }
    // Sweeps go on from their own end: a failed Newton method leaves nothing near a solution.
    b.rho = b.swept;
    const int steps = solve_newton(b.blocks, settings, b.block_newton, b.rho).iterations;
    if (natural_residual(b.blocks, b.rho, b.u) <= options.accepted && end(b.rho, "newton", steps))
      return;
  }
  b.rho = b.swept;
  if (follow_compliance(settings, options.accepted, b) && end(b.rho, "compliance", 0)) return;
  sweeps(b.blocks, 20000, settings.tolerance, b.swept, b.u, done);
  end(b.swept, "nsgs", done);
}

}  // namespace pequod
