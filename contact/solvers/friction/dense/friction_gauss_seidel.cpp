#include "contact/solvers/friction/dense/friction_gauss_seidel.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "contact/solvers/friction/friction_local.h"
#include "contact/solvers/linear/small_vector_operations.h"

namespace pequod {

namespace {

using Components = std::array<double, 5>;

/// u ← û at contact i
void velocity(const ScaledFriction& problem, const Eigen::VectorXd& rho, int i, double* u) {
  const int N = problem.rows();
  for (int k = 0; k < problem.stride; ++k) {
    const int row = problem.stride * i + k;
    u[k] = problem.q[row] +
           dot(problem.W.data() + static_cast<std::ptrdiff_t>(row) * N, rho.data(), N);
  }
}

void step_exact(const ScaledFriction& problem, int i, const double* u, double* r) {
  std::array<double, 9> W;
  std::array<double, 3> q;
  for (int k = 0; k < 3; ++k) {
    q[k] = u[k];
    for (int l = 0; l < 3; ++l) {
      W[3 * k + l] = problem.W(3 * i + k, 3 * i + l);
      q[k] -= W[3 * k + l] * r[l];
    }
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

template <class Step>
SweepResult sweep(const ScaledFriction& problem, const SweepSettings& settings,
                  SweepBuffers& buffers, Eigen::VectorXd& rho, Step step) {
  SweepResult result;
  buffers.u.resize(problem.rows());
  while (result.sweeps < settings.sweeps) {
    double change = 0;
    for (int k = 0; k < problem.n; ++k) {
      const int i = settings.backwards ? problem.n - 1 - k : k;
      double* r = rho.data() + problem.stride * i;
      Components u, before;
      velocity(problem, rho, i, u.data());
      for (int j = 0; j < problem.stride; ++j) before[j] = r[j];
      step(problem, i, u.data(), r);
      for (int j = 0; j < problem.stride; ++j) change += (r[j] - before[j]) * (r[j] - before[j]);
    }
    ++result.sweeps;
    // A small change is cheap to see; whether it means a solution is asked only then.
    const double S = std::max({problem.q_norm, rho.norm(), problem.scale});
    if (std::sqrt(change) > settings.tolerance * S) continue;
    result.converged = natural_residual(problem, rho, buffers.u) <= settings.tolerance;
    if (result.converged || change == 0) break;
  }
  return result;
}

}  // namespace

SweepResult sweep_exact(const ScaledFriction& problem, const SweepSettings& settings,
                        SweepBuffers& buffers, Eigen::VectorXd& rho) {
  return sweep(problem, settings, buffers, rho, step_exact);
}

SweepResult sweep_projected(const ScaledFriction& problem, const SweepSettings& settings,
                            SweepBuffers& buffers, Eigen::VectorXd& rho) {
  return sweep(problem, settings, buffers, rho, step_projected);
}

}  // namespace pequod
