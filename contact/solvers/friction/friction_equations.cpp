#include "contact/solvers/friction/friction_equations.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pequod {

namespace {

/// F and its derivative where the force lies on the edge of the disc of radius μa:
/// F_n = û_n, F_t = ρ_t − μ a p/|p| with p = ρ_t − û_t and a = ρ_n − û_n.
void slide(double mu, const double* rho, const double* u, double* F, ContactDerivative J) {
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

}  // namespace

ContactEquations alart_curnier_equations(double mu, const double* rho, const double* u, double* F,
                                         ContactDerivative J) {
  const double a = rho[0] - u[0];
  if (a <= 0) {
    std::copy(rho, rho + 3, F);
    return ContactEquations::open;
  }
  const double p1 = rho[1] - u[1], p2 = rho[2] - u[2];
  if (p1 * p1 + p2 * p2 <= mu * mu * a * a) {
    std::copy(u, u + 3, F);
    return ContactEquations::stick;
  }
  slide(mu, rho, u, F, J);
  return ContactEquations::general;
}

// On the boundary of the cone x = (p_n + μ|p_t|)/(1 + μ²), P_K(p) = (x, μ x p_t/|p_t|).
ContactEquations natural_map_equations(double mu, const double* rho, const double* u, double* F,
                                       ContactDerivative J) {
  const double p0 = rho[0] - u[0], p1 = rho[1] - u[1], p2 = rho[2] - u[2];
  const double t = std::sqrt(p1 * p1 + p2 * p2);
  if (mu >= kNoSlipFriction ? p0 >= 0 : p0 >= 0 && t <= mu * p0) {
    std::copy(u, u + 3, F);
    return ContactEquations::stick;
  }
  if (mu >= kNoSlipFriction ? false : mu * t <= -p0) {
    std::copy(rho, rho + 3, F);
    return ContactEquations::open;
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
  return ContactEquations::general;
}

ContactEquations held_equations(FrictionMode mode, double mu, const double* rho, const double* u,
                                double* F, ContactDerivative J) {
  if (mode == FrictionMode::open) {
    std::copy(rho, rho + 3, F);
    return ContactEquations::open;
  }
  if (mode == FrictionMode::stick || mu == 0) {
    std::copy(u, u + 3, F);
    return ContactEquations::stick;
  }
  slide(mu, rho, u, F, J);
  return ContactEquations::general;
}

}  // namespace pequod
