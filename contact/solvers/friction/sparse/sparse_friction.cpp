#include "contact/solvers/friction/sparse/sparse_friction.h"

#include <algorithm>
#include <string_view>

#include "contact/solvers/friction/contact_sweeps.h"
#include "contact/solvers/friction/friction_workspace.h"

namespace pequod {

namespace {

constexpr double kLeastTolerance = 1e-9;
constexpr double kNear = 1e-2;  // natural residual of a warm start for Newton's method
constexpr int kWarmSteps = 8;   // of it
constexpr int kSteps = 25;      // from swept impulses

const char* refusal(const SparseFrictionProblem& problem) {
  if (problem.dimension == 5) return "the method has no equations for rolling friction";
  if (problem.associated) return "its solve of one contact knows no associated law";
  return nullptr;
}

}  // namespace

void solve_sparse_newton(const SparseFrictionProblem& problem, const FrictionOptions& options,
                         std::span<const double> warm_start, FrictionWorkspace& b,
                         FrictionSolution& solution) {
  check(problem);
  if (const char* reason = refusal(problem))
    return refuse(problem.q.size(), problem.mu.size(), reason, solution);
  pose_blocks(problem, b.blocks);
  NewtonSettings settings;
  settings.tolerance = std::max(options.tolerance, kLeastTolerance);
  settings.iterations = options.max_iterations > 0 ? options.max_iterations : kSteps;
  start_from(b.blocks, problem.dimension, warm_start, b.swept);
  int done = 0;
  const auto end = [&](const VectorXd& rho, std::string_view method, int iterations) {
    solution.method = method;
    solution.iterations = iterations;
    finish(problem, b.blocks, rho, solution);
    judge(options, solution);
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
  const auto sweep = [&](int count) {
    const SweepResult result =
        sweep_exact(b.blocks, {.sweeps = count, .tolerance = settings.tolerance}, b.u, b.swept);
    done += result.sweeps;
    return result.converged;
  };
  for (const int count : {100, 300}) {
    if (sweep(count)) {
      end(b.swept, "nsgs", done);
      return;
    }
    // Sweeps go on from their own end: a failed Newton method leaves nothing near a solution.
    b.rho = b.swept;
    const int steps = solve_newton(b.blocks, settings, b.block_newton, b.rho).iterations;
    if (natural_residual(b.blocks, b.rho, b.u) <= options.accepted && end(b.rho, "newton", steps))
      return;
  }
  sweep(20000);
  end(b.swept, "nsgs", done);
}

}  // namespace pequod
