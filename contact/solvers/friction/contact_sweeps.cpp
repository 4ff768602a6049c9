#include "contact/solvers/friction/contact_sweeps.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "contact/solvers/friction/friction_local.h"
#include "contact/solvers/friction/sparse/block_friction.h"

namespace pequod {

namespace {

using Components = std::array<double, 5>;

template <class Scaled>
void step_exact(const Scaled& problem, int i, const double* u, double* r) {
  const std::array<double, 9> W = problem.own(i);
  std::array<double, 3> q;
  for (int k = 0; k < 3; ++k) {
    q[k] = u[k];
    for (int l = 0; l < 3; ++l) q[k] -= W[3 * k + l] * r[l];
  }
  solve_contact(W.data(), q.data(), problem.mu[i], r);
}

void step_projected(const ScaledFriction& problem, int i, const double* u, double* r) {
  const int stride = problem.stride;
  double norm = 0;  // the largest row sum bounds the eigenvalues
  for (int k = 0; k < stride; ++k) {
    double sum = 0;
    for (int l = 0; l < stride; ++l) sum += std::abs(problem.W(stride * i + k, stride * i + l));
    norm = std::max(norm, sum);
  }
  if (norm == 0) return;
  const double shift = problem.shift(i, u);
  for (int k = 0; k < stride; ++k) r[k] -= (u[k] + (k == 0 ? shift : 0)) / norm;
  problem.project(i, r);
}

template <class Scaled, class Step>
SweepResult sweep(const Scaled& problem, const SweepSettings& settings, VectorXd& velocities,
                  VectorXd& rho, Step step) {
  SweepResult result;
  while (result.sweeps < settings.sweeps) {
    double change = 0;
    for (int k = 0; k < problem.n; ++k) {
      const int i = settings.backwards ? problem.n - 1 - k : k;
      double* r = rho.data() + problem.stride * i;
      Components u, before;
      problem.velocity(i, rho.data(), u.data());
      for (int j = 0; j < problem.stride; ++j) before[j] = r[j];
      step(problem, i, u.data(), r);
      for (int j = 0; j < problem.stride; ++j) change += (r[j] - before[j]) * (r[j] - before[j]);
    }
    ++result.sweeps;
    // A small change is cheap to see; whether it means a solution is asked only then.
    const double S = std::max({problem.q_norm, rho.norm(), problem.scale});
    if (std::sqrt(change) > settings.tolerance * S) continue;
    result.converged = natural_residual(problem, rho, velocities) <= settings.tolerance;
    if (result.converged || change == 0) break;
  }
  return result;
}

}  // namespace

template <class Scaled>
SweepResult sweep_exact(const Scaled& problem, const SweepSettings& settings, VectorXd& velocities,
                        VectorXd& rho) {
  return sweep(problem, settings, velocities, rho, step_exact<Scaled>);
}

template SweepResult sweep_exact(const ScaledFriction&, const SweepSettings&, VectorXd&, VectorXd&);
template SweepResult sweep_exact(const BlockFriction&, const SweepSettings&, VectorXd&, VectorXd&);

SweepResult sweep_projected(const ScaledFriction& problem, const SweepSettings& settings,
                            VectorXd& velocities, VectorXd& rho) {
  return sweep(problem, settings, velocities, rho, step_projected);
}

}  // namespace pequod
