#include "contact/solvers/sparse_friction.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "contact/solvers/block_admm.h"
#include "contact/solvers/block_friction.h"
#include "contact/solvers/block_newton.h"
#include "contact/solvers/friction_local.h"

namespace pequod {

namespace {

constexpr double kLeastTolerance = 1e-9;

double tolerance(const FrictionOptions& options) {
  return std::max(options.tolerance, kLeastTolerance);
}

FrictionSolution refused(const SparseFrictionProblem& problem, const char* reason) {
  FrictionSolution solution;
  solution.r.setConstant(problem.q.size(), NAN);
  solution.u = solution.r;
  solution.modes.assign(problem.mu.size(), FrictionMode::open);
  solution.reason = reason;
  return solution;
}

/// r of ρ, measured and judged.
FrictionSolution finished(const SparseFrictionProblem& problem, const FrictionOptions& options,
                          const BlockFriction& blocks, const Eigen::VectorXd& rho,
                          std::string_view method, int iterations) {
  FrictionSolution solution;
  solution.method = method;
  solution.iterations = iterations;
  solution.r.resize(problem.q.size());
  for (int i = 0; i < blocks.n; ++i)
    for (int k = 0; k < problem.dimension; ++k)
      solution.r[problem.dimension * i + k] = blocks.d[i] * rho[3 * i + k];
  measure(problem, solution);
  judge(options, solution);
  return solution;
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
            int& done) {
  constexpr int kLook = 20;
  Eigen::VectorXd u;
  for (int k = 1; k <= count; ++k) {
    sweep(problem, rho);
    ++done;
    if (k % kLook == 0 && natural_residual(problem, rho, u) <= tolerance) return true;
  }
  return natural_residual(problem, rho, u) <= tolerance;
}

/// Newton's method with compliance ε about its own last result; ε falls tenfold where that
/// converges and rises where it does not. Returns whether the natural map fell below `accepted`.
bool follow_compliance(const BlockFriction& problem, BlockNewtonSettings settings, double accepted,
                       Eigen::VectorXd& rho) {
  constexpr int kRounds = 40;
  constexpr double kFirst = 1e-2, kFall = 0.1, kRise = 6;
  const double tolerance = settings.tolerance;
  Eigen::VectorXd centre = rho, u;
  settings.centre = &centre;
  settings.compliance = kFirst;
  for (int round = 0; round < kRounds; ++round) {
    // No more exact than the step that the compliance leaves to be done.
    settings.tolerance = std::max(tolerance, 1e-4 * settings.compliance);
    if (solve_newton(problem, settings, rho).converged) {
      centre = rho;
      settings.compliance *= kFall;
      if (natural_residual(problem, rho, u) <= std::min(accepted, tolerance)) return true;
    } else {
      rho = centre;
      settings.compliance *= kRise;
    }
  }
  return natural_residual(problem, rho, u) <= accepted;
}

const char* refusal(const SparseFrictionProblem& problem) {
  if (problem.dimension == 5) return "the method has no equations for rolling friction";
  if (problem.associated) return "its solve of one contact knows no associated law";
  return nullptr;
}

}  // namespace

FrictionSolution solve_sparse_newton(const SparseFrictionProblem& problem,
                                     const FrictionOptions& options,
                                     std::span<const double> warm_start) {
  check(problem);
  if (const char* reason = refusal(problem)) return refused(problem, reason);
  const BlockFriction blocks = block_friction(problem);
  BlockNewtonSettings settings;
  settings.tolerance = tolerance(options);
  if (options.max_iterations > 0) settings.iterations = options.max_iterations;
  Eigen::VectorXd swept = start_from(blocks, problem.dimension, warm_start), u;
  int done = 0;
  // Sweeps go on from their own end: a failed Newton method leaves nothing near a solution.
  const auto newton = [&](Eigen::VectorXd rho, FrictionSolution& result) {
    const BlockNewtonResult end = solve_newton(blocks, settings, rho);
    if (natural_residual(blocks, rho, u) > options.accepted) return false;
    result = finished(problem, options, blocks, rho, "newton", end.iterations);
    return result.status == FrictionStatus::solved;
  };
  FrictionSolution result;
  for (const int count : {100, 300}) {
    if (sweeps(blocks, count, settings.tolerance, swept, done))
      return finished(problem, options, blocks, swept, "nsgs", done);
    if (newton(swept, result)) return result;
  }
  Eigen::VectorXd rho = swept;
  if (follow_compliance(blocks, settings, options.accepted, rho)) {
    result = finished(problem, options, blocks, rho, "compliance", 0);
    if (result.status == FrictionStatus::solved) return result;
  }
  sweeps(blocks, 20000, settings.tolerance, swept, done);
  return finished(problem, options, blocks, swept, "nsgs", done);
}

FrictionSolution solve_sparse_nsgs(const SparseFrictionProblem& problem,
                                   const FrictionOptions& options,
                                   std::span<const double> warm_start) {
  check(problem);
  if (const char* reason = refusal(problem)) return refused(problem, reason);
  const BlockFriction blocks = block_friction(problem);
  Eigen::VectorXd rho = start_from(blocks, problem.dimension, warm_start);
  int done = 0;
  const int count = options.max_iterations > 0 ? options.max_iterations : 20000;
  sweeps(blocks, count, tolerance(options), rho, done);
  return finished(problem, options, blocks, rho, "nsgs", done);
}

FrictionSolution solve_sparse_admm(const SparseFrictionProblem& problem,
                                   const FrictionOptions& options,
                                   std::span<const double> warm_start) {
  check(problem);
  if (problem.dimension == 5) return refused(problem, refusal(problem));
  const BlockFriction blocks = block_friction(problem);
  Eigen::VectorXd rho = start_from(blocks, problem.dimension, warm_start);
  BlockAdmmSettings settings;
  settings.tolerance = tolerance(options);
  if (options.max_iterations > 0) settings.iterations = options.max_iterations;
  const BlockAdmmResult result = solve_admm(blocks, settings, rho);
  return finished(problem, options, blocks, rho, "admm", result.iterations);
}

}  // namespace pequod
