#include "contact/solvers/friction_newton.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact/solvers/gaussian_elimination.h"

namespace pequod {

namespace {

enum Kind { kOpen, kStick, kGeneral };

/// δF = A δρ + B δû of one contact, row by row; only for kGeneral.
struct Blocks {
  double* A;
  double* B;
};

/// F and its derivative where the force lies on the edge of the disc of radius μa:
/// F_n = û_n, F_t = ρ_t − μ a p/|p| with p = ρ_t − û_t and a = ρ_n − û_n.
void slide(double mu, const double* rho, const double* u, double* F, Blocks J) {
  const double p1 = rho[1] - u[1], p2 = rho[2] - u[2];
  const double length = std::sqrt(p1 * p1 + p2 * p2);
  const double a = rho[0] - u[0];
  const double e1 = length > 0 ? p1 / length : 0, e2 = length > 0 ? p2 / length : 0;
  const double c = length > 0 ? mu * a / length : 0;
  F[0] = u[0];
  F[1] = rho[1] - mu * a * e1;
  F[2] = rho[2] - mu * a * e2;
  const double t11 = c * (1 - e1 * e1), t12 = -c * e1 * e2, t22 = c * (1 - e2 * e2);
  const std::array<double, 9> A = {0, 0, 0, -mu * e1, 1 - t11, -t12, -mu * e2, -t12, 1 - t22};
  const std::array<double, 9> B = {1, 0, 0, mu * e1, t11, t12, mu * e2, t12, t22};
  std::copy(A.begin(), A.end(), J.A);
  std::copy(B.begin(), B.end(), J.B);
}

/// Alart & Curnier: open if a ≤ 0, else û_n = 0 and ρ_t the projection of p on the disc.
Kind alart_curnier(double mu, const double* rho, const double* u, double* F, Blocks J) {
  const double a = rho[0] - u[0];
  if (a <= 0) {
    std::copy(rho, rho + 3, F);
    return kOpen;
  }
  const double p1 = rho[1] - u[1], p2 = rho[2] - u[2];
  if (p1 * p1 + p2 * p2 <= mu * mu * a * a) {
    std::copy(u, u + 3, F);
    return kStick;
  }
  slide(mu, rho, u, F, J);
  return kGeneral;
}

/// The associated law: F = ρ − P_K(p), p = ρ − û, on the boundary of the cone
/// x = (p_n + μ|p_t|)/(1 + μ²), P_K = (x, μ x p_t/|p_t|).
Kind natural_map(double mu, const double* rho, const double* u, double* F, Blocks J) {
  const double p0 = rho[0] - u[0], p1 = rho[1] - u[1], p2 = rho[2] - u[2];
  const double t = std::sqrt(p1 * p1 + p2 * p2);
  if (mu >= kNoSlipFriction ? p0 >= 0 : p0 >= 0 && t <= mu * p0) {
    std::copy(u, u + 3, F);
    return kStick;
  }
  if (mu >= kNoSlipFriction ? false : mu * t <= -p0) {
    std::copy(rho, rho + 3, F);
    return kOpen;
  }
  std::array<double, 9> P{};  // the derivative of P_K
  if (mu >= kNoSlipFriction) {
    F[0] = rho[0];
    F[1] = u[1];
    F[2] = u[2];
    P = {0, 0, 0, 0, 1, 0, 0, 0, 1};
  } else {
    const double weight = 1 / (1 + mu * mu), x = (p0 + mu * t) * weight;
    const double e1 = p1 / t, e2 = p2 / t, c = mu * x / t, b = mu * weight, g = mu * b - c;
    F[0] = rho[0] - x;
    F[1] = rho[1] - mu * x * e1;
    F[2] = rho[2] - mu * x * e2;
    P = {weight,      b * e1, b * e2,      b * e1,         c + g * e1 * e1,
         g * e1 * e2, b * e2, g * e1 * e2, c + g * e2 * e2};
  }
  for (int k = 0; k < 9; ++k) {
    J.A[k] = (k % 4 == 0 ? 1 : 0) - P[k];
    J.B[k] = P[k];
  }
  return kGeneral;
}

Kind held_mode(FrictionMode mode, double mu, const double* rho, const double* u, double* F,
               Blocks J) {
  if (mode == FrictionMode::open) {
    std::copy(rho, rho + 3, F);
    return kOpen;
  }
  if (mode == FrictionMode::stick || mu == 0) {
    std::copy(u, u + 3, F);
    return kStick;
  }
  slide(mu, rho, u, F, J);
  return kGeneral;
}

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
    const Blocks J{buffers_.blocks.data() + 18 * i, buffers_.blocks.data() + 18 * i + 9};
    const double mu = problem_.mu[i];
    buffers_.kinds[i] = settings_.held        ? held_mode(settings_.held[i], mu, r, u, F, J)
                        : problem_.associated ? natural_map(mu, r, u, F, J)
                                              : alart_curnier(mu, r, u, F, J);
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
  if (buffers_.kinds[contact] == kStick) return;
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
    const bool open = buffers_.kinds[i] == kOpen;
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
        change = buffers_.kinds[contact] == kStick
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
