#pragma once

#include <algorithm>
#include <cmath>

namespace pequod {

/// p ← its projection on {r ∈ ℝ³ : |r_t| ≤ μ r_n}, normal first, μ finite.
inline void project_on_cone(double mu, double* p) {
  const double t = std::sqrt(p[1] * p[1] + p[2] * p[2]);
  if (p[0] >= 0 && t <= mu * p[0]) return;
  if (mu * t <= -p[0]) {
    p[0] = p[1] = p[2] = 0;
    return;
  }
  p[0] = (p[0] + mu * t) / (1 + mu * mu);
  const double shrink = t > 0 ? mu * p[0] / t : 0;
  p[1] *= shrink;
  p[2] *= shrink;
}

/// p ← its projection on {r ∈ ℝ⁵ : |r_t| ≤ μ r_n, |r_m| ≤ μ_m r_n}, normal, tangents, moments.
/// r_n is the zero of the increasing x − p_n − μ(|p_t| − μx)⁺ − μ_m(|p_m| − μ_m x)⁺, at least 0.
inline void project_on_rolling_cone(double mu, double mu_rolling, double* p) {
  const double t = std::sqrt(p[1] * p[1] + p[2] * p[2]);
  const double m = std::sqrt(p[3] * p[3] + p[4] * p[4]);
  double x = p[0];
  for (const bool with_t : {false, true})
    for (const bool with_m : {false, true}) {
      // The largest candidate is the zero: a summand that should not count only lowers it.
      const double weight = 1 + (with_t ? mu * mu : 0) + (with_m ? mu_rolling * mu_rolling : 0);
      const double sum = p[0] + (with_t ? mu * t : 0) + (with_m ? mu_rolling * m : 0);
      x = std::max(x, sum / weight);
    }
  x = std::max(x, 0.0);
  p[0] = x;
  const double shrink_t = t > mu * x ? mu * x / t : 1;
  const double shrink_m = m > mu_rolling * x ? mu_rolling * x / m : 1;
  p[1] *= shrink_t;
  p[2] *= shrink_t;
  p[3] *= shrink_m;
  p[4] *= shrink_m;
}

}  // namespace pequod
