#include "contact/solvers/friction/dense/friction_newton.h"

#include <algorithm>
#include <cmath>

#include "contact/solvers/linear/gaussian_elimination.h"

namespace pequod {

namespace {

class DenseNewtonStep {
 public:
  DenseNewtonStep(const ScaledFriction& problem, const NewtonSettings& settings,
                  NewtonBuffers& buffers)
      : problem_(problem), settings_(settings), buffers_(buffers) {
    buffers_.resize(problem.n);
    stride_ = problem.rows() + 2 - problem.rows() % 2;
    buffers_.matrix.resize(static_cast<std::size_t>(stride_) * problem.rows());
  }

  bool operator()(const VectorXd& rho);

 private:
  void fill_rows(int i, double* rows);
  void gather(int row_of_W, double* row) const;

  const ScaledFriction& problem_;
  const NewtonSettings& settings_;
  NewtonBuffers& buffers_;
  int stride_ = 0;
};

/// row ← the entries of a row of W at active contacts
void DenseNewtonStep::gather(int row_of_W, double* row) const {
  const double* W = problem_.W.data() + row_of_W * problem_.rows();
  for (const int j : buffers_.active) {
    *row++ = W[3 * j];
    *row++ = W[3 * j + 1];
    *row++ = W[3 * j + 2];
  }
}

/// Three rows of J = A + B W, for active contact number i of the list.
void DenseNewtonStep::fill_rows(int i, double* rows) {
  const int contact = buffers_.active[i];
  const int columns = 3 * static_cast<int>(buffers_.active.size());
  for (int k = 0; k < 3; ++k) {
    double* row = rows + k * stride_;
    gather(3 * contact + k, row);
    row[3 * i + k] += settings_.shift + settings_.compliance;
  }
  if (buffers_.kinds[contact] == ContactEquations::stick) return;
  const double* A = buffers_.blocks.data() + 18 * contact;
  const double* B = A + 9;
  double* row0 = rows;
  double* row1 = rows + stride_;
  double* row2 = rows + 2 * stride_;
  for (int j = 0; j < columns; ++j) {
    const double w0 = row0[j], w1 = row1[j], w2 = row2[j];
    row0[j] = B[0] * w0 + B[1] * w1 + B[2] * w2;
    row1[j] = B[3] * w0 + B[4] * w1 + B[5] * w2;
    row2[j] = B[6] * w0 + B[7] * w1 + B[8] * w2;
  }
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l) rows[k * stride_ + 3 * i + l] += A[3 * k + l];
}

/// The Newton step: open contacts lose their force, which moves the others; then J δ = −F.
bool DenseNewtonStep::operator()(const VectorXd& rho) {
  VectorXd& step = buffers_.step;
  buffers_.active.clear();
  bool unload = false;
  for (int i = 0; i < problem_.n; ++i) {
    const bool open = buffers_.kinds[i] == ContactEquations::open;
    if (!open) buffers_.active.push_back(i);
    for (int k = 3 * i; k < 3 * i + 3; ++k) {
      step[k] = open ? -rho[k] : 0;
      unload = unload || (open && rho[k] != 0);
    }
  }
  const int count = static_cast<int>(buffers_.active.size());
  if (count == 0) return true;
  if (unload) buffers_.next.noalias() = problem_.W * step;
  double* matrix = buffers_.matrix.data();
  for (int i = 0; i < count; ++i) {
    double* rows = matrix + (3 * i) * stride_;
    fill_rows(i, rows);
    const int contact = buffers_.active[i];
    const double* B = buffers_.blocks.data() + 18 * contact + 9;
    const double* w = buffers_.next.data() + 3 * contact;
    for (int k = 0; k < 3; ++k) {
      double change = 0;
      if (unload)
        change = buffers_.kinds[contact] == ContactEquations::stick
                     ? w[k]
                     : B[3 * k] * w[0] + B[3 * k + 1] * w[1] + B[3 * k + 2] * w[2];
      rows[k * stride_ + 3 * count] = -buffers_.F[3 * contact + k] - change;
    }
  }
  double* x = buffers_.next.data();
  if (!eliminate(matrix, 3 * count, stride_, x)) return false;
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k) step[3 * buffers_.active[i] + k] = x[3 * i + k];
  return true;
}

/// What the modes say of ρ, by construction.
void obey_modes(const ScaledFriction& problem, const std::vector<FrictionMode>& modes,
                const VectorXd& u, VectorXd& rho) {
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
bool take_better(const ScaledFriction& problem, NewtonBuffers& buffers, VectorXd& rho,
                 FrictionResiduals& best) {
  problem.apply(buffers.trial, buffers.looked);
  const FrictionResiduals now =
      measure(problem, buffers.trial, buffers.looked, buffers.trial_modes.data());
  if (!is_exact(now) && !(now.scaled < best.scaled)) return false;
  best = now;
  rho = buffers.trial;
  buffers.modes.swap(buffers.trial_modes);
  return true;
}

}  // namespace

NewtonResult solve_newton(const ScaledFriction& problem, const NewtonSettings& settings,
                          NewtonBuffers& buffers, VectorXd& rho) {
  return iterate_newton(problem, settings, buffers, rho,
                        DenseNewtonStep(problem, settings, buffers));
}

FrictionResiduals make_exact(const ScaledFriction& problem, NewtonBuffers& buffers, VectorXd& rho) {
  constexpr int kRounds = 6;
  buffers.modes.resize(problem.n);
  buffers.trial_modes.resize(problem.n);
  buffers.looked.resize(problem.rows());
  problem.apply(rho, buffers.looked);
  FrictionResiduals best = measure(problem, rho, buffers.looked, buffers.modes.data());
  NewtonSettings settings;
  settings.iterations = 1;
  settings.tolerance = 0;
  for (int round = 0; round <= kRounds && !is_exact(best); ++round) {
    // First the construction alone: often it is all that is missing.
    buffers.trial = rho;
    if (round > 0) {
      settings.held = buffers.modes.data();
      solve_newton(problem, settings, buffers, buffers.trial);
      problem.apply(buffers.trial, buffers.looked);
    }
    obey_modes(problem, buffers.modes, buffers.looked, buffers.trial);
    if (!take_better(problem, buffers, rho, best) && round > 0) break;
    // take_better leaves û of the trial; round 0 needs that of ρ, later ones compute their own.
  }
  return best;
}

ProximalResult follow_proximal_path(const ScaledFriction& problem, int newton_steps,
                                    NewtonBuffers& buffers, VectorXd& rho) {
  constexpr double kFirst = 1e-2, kLast = 0.5e-10, kFactor = 1e-2, kTolerance = 1e-13;
  ProximalResult result{.followed = true};
  buffers.centre.setZero(problem.rows());
  buffers.looked.resize(problem.rows());
  NewtonSettings inner;
  inner.iterations = newton_steps;
  inner.tolerance = kTolerance;
  inner.shift = 0;
  inner.centre = &buffers.centre;
  const double S = std::max(problem.q_norm, problem.scale);
  for (double epsilon = kFirst; epsilon >= kLast; epsilon *= kFactor) {
    inner.compliance = epsilon;
    const NewtonResult step = solve_newton(problem, inner, buffers, rho);
    result.iterations += step.iterations;
    // What rounding leaves of a Newton step is good enough to go on.
    result.followed = result.followed && step.residual <= 1e-9;
    buffers.ray = rho - buffers.centre;
    result.pull = S > 0 ? epsilon * buffers.ray.norm() / S : 0;
    buffers.centre = rho;
    if (!result.followed || natural_residual(problem, rho, buffers.looked) <= kTolerance) break;
  }
  return result;
}

}  // namespace pequod
