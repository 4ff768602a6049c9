#include "contact/solvers/friction/dense/friction_finish.h"

#include <cmath>

namespace pequod {

namespace {

/// What the modes say of ρ, by construction.
void obey_modes(const ScaledFriction& problem, const std::vector<FrictionMode>& modes,
                const Eigen::VectorXd& u, Eigen::VectorXd& rho) {
  for (int i = 0; i < problem.n; ++i) {
    double* r = rho.data() + 3 * i;
    if (modes[i] == FrictionMode::open) r[0] = r[1] = r[2] = 0;
    if (modes[i] != FrictionMode::slide) continue;
    const double u1 = u[3 * i + 1], u2 = u[3 * i + 2];
    const double slip = std::sqrt(u1 * u1 + u2 * u2);
    const double f = slip > 0 ? -problem.mu[i] * r[0] / slip : 0;
    r[1] = f * u1;
    r[2] = f * u2;
  }
}

/// Takes the trial if it is exact, or better by natural map.
bool take_better(const ScaledFriction& problem, FinishBuffers& buffers, Eigen::VectorXd& rho,
                 FrictionResiduals& best) {
  problem.apply(buffers.trial, buffers.u);
  const FrictionResiduals now =
      measure(problem, buffers.trial, buffers.u, buffers.trial_modes.data());
  if (!is_exact(now) && !(now.scaled < best.scaled)) return false;
  best = now;
  rho = buffers.trial;
  buffers.modes.swap(buffers.trial_modes);
  return true;
}

}  // namespace

FrictionResiduals make_exact(const ScaledFriction& problem, NewtonBuffers& newton,
                             FinishBuffers& buffers, Eigen::VectorXd& rho) {
  constexpr int kRounds = 6;
  buffers.modes.resize(problem.n);
  buffers.trial_modes.resize(problem.n);
  buffers.u.resize(problem.rows());
  problem.apply(rho, buffers.u);
  FrictionResiduals best = measure(problem, rho, buffers.u, buffers.modes.data());
  NewtonSettings settings;
  settings.iterations = 1;
  settings.tolerance = 0;
  for (int round = 0; round <= kRounds && !is_exact(best); ++round) {
    // First the construction alone: often it is all that is missing.
    buffers.trial = rho;
    if (round > 0) {
      settings.held = buffers.modes.data();
      solve_newton(problem, settings, newton, buffers.trial);
      problem.apply(buffers.trial, buffers.u);
    }
    obey_modes(problem, buffers.modes, buffers.u, buffers.trial);
    if (!take_better(problem, buffers, rho, best) && round > 0) break;
    // take_better leaves û of the trial; round 0 needs that of ρ, later ones compute their own.
  }
  return best;
}

}  // namespace pequod
