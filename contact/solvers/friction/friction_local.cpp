#include "contact/solvers/friction/friction_local.h"

#include <cmath>

#include "contact/solvers/friction/friction_problem.h"

namespace pequod {

namespace {

/// r = −W⁻¹q by Cramer's rule, if W is regular.
bool stick(const double* W, const double* q, double mu, double* r) {
  const double c0 = W[4] * W[8] - W[5] * W[7], c1 = W[5] * W[6] - W[3] * W[8],
               c2 = W[3] * W[7] - W[4] * W[6];
  const double determinant = W[0] * c0 + W[1] * c1 + W[2] * c2;
  if (!(std::abs(determinant) > 1e-14 * W[0] * W[4] * W[8])) return false;
  const double f = -1 / determinant;
  r[0] = f * (c0 * q[0] + (W[2] * W[7] - W[1] * W[8]) * q[1] + (W[1] * W[5] - W[2] * W[4]) * q[2]);
  r[1] = f * (c1 * q[0] + (W[0] * W[8] - W[2] * W[6]) * q[1] + (W[2] * W[3] - W[0] * W[5]) * q[2]);
  r[2] = f * (c2 * q[0] + (W[1] * W[6] - W[0] * W[7]) * q[1] + (W[0] * W[4] - W[1] * W[3]) * q[2]);
  if (!(r[0] > 0)) return false;
  return mu >= kNoSlipFriction || r[1] * r[1] + r[2] * r[2] <= mu * mu * r[0] * r[0];
}

/// P(κ) = |κc + d|² − (κ² − trace κ + determinant)²
struct Quartic {
  double cc, cd, dd, trace, determinant;

  [[nodiscard]] double operator()(double k) const {
    const double x = k * k - trace * k + determinant;
    return k * k * cc + 2 * k * cd + dd - x * x;
  }
  [[nodiscard]] double slope(double k) const {
    const double x = k * k - trace * k + determinant;
    return 2 * k * cc + 2 * cd - 2 * x * (2 * k - trace);
  }
};

/// A root between low, where P > 0, and high, where P ≤ 0: Newton's method within the bracket.
double root(const Quartic& P, double low, double high) {
  double k = high;
  for (int i = 0; i < 100; ++i) {
    const double value = P(k);
    (value > 0 ? low : high) = k;
    const double newton = k - value / P.slope(k);
    const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
    if (std::abs(next - k) <= 1e-16 * high) return next;
    k = next;
  }
  return k;
}

/// With u_n = 0 and r_t = −μ r_n s, u_t = κ s times a positive factor becomes M s + c = κ s with
/// M = μ (q_n W_tt − q_t W_nt), c = W_nn q_t − q_n W_tn. So s = (κ c + d)/det(κ − M) with
/// d = (M − tr M) c, and |s| = 1 is the quartic.
bool slide(const double* W, const double* q, double mu, double* r) {
  const double m11 = mu * (q[0] * W[4] - q[1] * W[1]), m12 = mu * (q[0] * W[5] - q[1] * W[2]);
  const double m21 = mu * (q[0] * W[7] - q[2] * W[1]), m22 = mu * (q[0] * W[8] - q[2] * W[2]);
  const double c1 = W[0] * q[1] - q[0] * W[3], c2 = W[0] * q[2] - q[0] * W[6];
  const double trace = m11 + m22;
  const double d1 = m12 * c2 - m22 * c1, d2 = m21 * c1 - m11 * c2;
  const Quartic P{c1 * c1 + c2 * c2, c1 * d1 + c2 * d2, d1 * d1 + d2 * d2, trace,
                  m11 * m22 - m12 * m21};
  // |κc + d| < κ² − … from here on: |s| ≤ |c|/(κ − |M|).
  double high = std::sqrt(P.cc) + std::sqrt(m11 * m11 + m12 * m12 + m21 * m21 + m22 * m22);
  if (!(high > 0)) return false;
  double low = 0;
  constexpr int kGrid = 32;
  for (int i = 0; i < kGrid && !(P(low) > 0); ++i) low = high * i / kGrid;
  if (!(P(low) > 0)) return false;
  const double k = root(P, low, high);
  const double s1 = k * c1 + d1, s2 = k * c2 + d2;
  const double determinant = k * k - trace * k + P.determinant;
  const double length = std::copysign(std::sqrt(s1 * s1 + s2 * s2), determinant);
  if (length == 0) return false;
  const double e1 = s1 / length, e2 = s2 / length;
  const double weight = W[0] - mu * (W[1] * e1 + W[2] * e2);
  if (!(weight > 0)) return false;
  r[0] = -q[0] / weight;
  r[1] = -mu * r[0] * e1;
  r[2] = -mu * r[0] * e2;
  return true;
}

}  // namespace

bool solve_contact(const double* W, const double* q, double mu, double* r) {
  if (q[0] >= 0) {
    r[0] = r[1] = r[2] = 0;
    return true;
  }
  if (stick(W, q, mu, r)) return true;
  if (mu < kNoSlipFriction && mu > 0 && slide(W, q, mu, r)) return true;
  r[0] = W[0] > 0 ? -q[0] / W[0] : 0;
  r[1] = r[2] = 0;
  return mu == 0 && W[0] > 0;
}

}  // namespace pequod
