#include "contact/solvers/friction/dense/friction_newton.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact/solvers/friction/friction_equations.h"
#include "contact/solvers/linear/gaussian_elimination.h"

namespace pequod {

namespace {

class Newton {
 public:
  Newton(const ScaledFriction& problem, const NewtonSettings& settings, NewtonBuffers& buffers)
      : problem_(problem), settings_(settings), buffers_(buffers) {
    buffers_.u.resize(problem.rows());
    buffers_.F.resize(problem.rows());
    buffers_.step.resize(problem.rows());
    buffers_.next.resize(problem.rows());
    buffers_.best.resize(problem.rows());
    buffers_.blocks.resize(18 * problem.n);
    buffers_.kinds.resize(problem.n);
    stride_ = problem.rows() + 2 - problem.rows() % 2;
    buffers_.matrix.resize(static_cast<std::size_t>(stride_) * problem.rows());
  }

  NewtonResult solve(Eigen::VectorXd& rho);

 private:
  double evaluate(const Eigen::VectorXd& rho);
  double advance(Eigen::VectorXd& rho, double limit);
  bool find_step(const Eigen::VectorXd& rho);
  void fill_rows(int i, double* rows);
  void gather(int row_of_W, double* row) const;

  const ScaledFriction& problem_;
  const NewtonSettings& settings_;
  NewtonBuffers& buffers_;
  int stride_ = 0;
};

/// û, F and its derivative at ρ; returns |F|.
double Newton::evaluate(const Eigen::VectorXd& rho) {
  problem_.apply(rho, buffers_.u);
  if (settings_.compliance > 0) buffers_.u += settings_.compliance * (rho - *settings_.centre);
  for (int i = 0; i < problem_.n; ++i) {
    const double* r = rho.data() + 3 * i;
    const double* u = buffers_.u.data() + 3 * i;
    double* F = buffers_.F.data() + 3 * i;
    const ContactDerivative J{buffers_.blocks.data() + 18 * i, buffers_.blocks.data() + 18 * i + 9};
    const double mu = problem_.mu[i];
    buffers_.kinds[i] = settings_.held        ? held_equations(settings_.held[i], mu, r, u, F, J)
                        : problem_.associated ? natural_map_equations(mu, r, u, F, J)
                                              : alart_curnier_equations(mu, r, u, F, J);
  }
  return buffers_.F.norm();
}

/// row ← the entries of a row of W at active contacts
void Newton::gather(int row_of_W, double* row) const {
  const double* W = problem_.W.data() + static_cast<std::ptrdiff_t>(row_of_W) * problem_.rows();
  for (const int j : buffers_.active) {
    *row++ = W[3 * j];
    *row++ = W[3 * j + 1];
    *row++ = W[3 * j + 2];
  }
}

/// Three rows of J = A + B W, for active contact number i of the list.
void Newton::fill_rows(int i, double* rows) {
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
bool Newton::find_step(const Eigen::VectorXd& rho) {
  Eigen::VectorXd& step = buffers_.step;
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
    double* rows = matrix + static_cast<std::ptrdiff_t>(3 * i) * stride_;
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

/// Goes along the step, halved at most three times while |F| is above the limit.
double Newton::advance(Eigen::VectorXd& rho, double limit) {
  double length = 1, norm = 0;
  for (int halving = 0; halving <= 3; ++halving, length *= 0.5) {
    buffers_.next = rho + length * buffers_.step;
    norm = evaluate(buffers_.next);
    if (norm < limit) break;
  }
  rho = buffers_.next;
  return norm;
}

NewtonResult Newton::solve(Eigen::VectorXd& rho) {
  constexpr int kMemory = 6;
  std::array<double, kMemory> last{};
  NewtonResult result;
  double norm = evaluate(rho), best = std::numeric_limits<double>::infinity();
  while (std::isfinite(norm)) {
    if (norm < best) {
      best = norm;
      buffers_.best = rho;
      result.residual = norm / problem_.size(rho, buffers_.u);
      result.converged = result.residual <= settings_.tolerance;
    }
    if (result.converged || result.iterations == settings_.iterations) break;
    last[result.iterations % kMemory] = norm;
    ++result.iterations;
    if (!find_step(rho)) break;
    norm = advance(rho, *std::max_element(last.begin(), last.end()));
  }
  if (std::isfinite(best)) rho = buffers_.best;
  return result;
}

}  // namespace

NewtonResult solve_newton(const ScaledFriction& problem, const NewtonSettings& settings,
                          NewtonBuffers& buffers, Eigen::VectorXd& rho) {
  return Newton(problem, settings, buffers).solve(rho);
}

}  // namespace pequod
