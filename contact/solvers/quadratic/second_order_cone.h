#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pequod {

// The cone {x ∈ ℝ³ : x₀ ≥ |(x₁, x₂)|} as the cone of squares of its Jordan algebra,
// x ∘ y = (xᵀy, x₀ y₁ + y₀ x₁, …), with unit e = (1, 0, 0) (Alizadeh & Goldfarb 2003).

/// x₀ − |(x₁, x₂)|, its smaller eigenvalue
inline double cone_margin(const double* x) { return x[0] - std::sqrt(x[1] * x[1] + x[2] * x[2]); }

/// x₀² − x₁² − x₂², without cancellation near the boundary
inline double cone_determinant(const double* x) {
  const double t = std::sqrt(x[1] * x[1] + x[2] * x[2]);
  return (x[0] - t) * (x[0] + t);
}

/// result ← x ∘ y
inline void cone_product(const double* x, const double* y, double* result) {
  const double a = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  const double b = x[0] * y[1] + y[0] * x[1], c = x[0] * y[2] + y[0] * x[2];
  result[0] = a;
  result[1] = b;
  result[2] = c;
}

/// result ← the y with x ∘ y = d
inline void cone_quotient(const double* x, const double* d, double* result) {
  const double y0 = (x[0] * d[0] - x[1] * d[1] - x[2] * d[2]) / cone_determinant(x);
  result[1] = (d[1] - y0 * x[1]) / x[0];
  result[2] = (d[2] - y0 * x[2]) / x[0];
  result[0] = y0;
}

/// The largest α with x + α d in the cone, infinite if there is none; x is inside.
inline double cone_step(const double* x, const double* d) {
  constexpr double kUnbounded = std::numeric_limits<double>::infinity();
  // (x₀ + αd₀)² = |x_t + αd_t|² as aα² + 2bα + c = 0 with c > 0
  const double a = cone_determinant(d), b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
  const double c = cone_determinant(x), discriminant = b * b - a * c;
  if (discriminant < 0) return kUnbounded;
  const double root = std::sqrt(discriminant);
  if (b >= 0) return a < 0 ? (b + root) / -a : kUnbounded;
  return c / (root - b);
}

/// Nesterov & Todd's scaling of a pair s, z inside the cone: Θ = β(2 v vᵀ − R) with R = diag(1, −1,
/// −1) and Θ z = Θ⁻¹ s.
struct ConeScaling {
  double beta = 1;
  std::array<double, 3> v{1, 0, 0};
  std::array<double, 3> w{1, 0, 0};  ///< Θ² = β²(2 w wᵀ − R)

  /// result ← Θ x; may be x itself
  void apply(const double* x, double* result) const { reflect(x, v, beta, 1, result); }

  /// result ← Θ⁻¹ x; may be x itself
  void apply_inverse(const double* x, double* result) const { reflect(x, v, 1 / beta, -1, result); }

  /// result ← Θ² x; may be x itself
  void apply_square(const double* x, double* result) const {
    reflect(x, w, beta * beta, 1, result);
  }

  /// result ← Θ⁻² x; may be x itself
  void apply_inverse_square(const double* x, double* result) const {
    reflect(x, w, 1 / (beta * beta), -1, result);
  }

 private:
  /// factor (2 a aᵀ − R) x with a = (p₀, ±p₁, ±p₂)
  static void reflect(const double* x, const std::array<double, 3>& p, double factor, double sign,
                      double* result) {
    const double along = 2 * (p[0] * x[0] + sign * (p[1] * x[1] + p[2] * x[2]));
    result[0] = factor * (along * p[0] - x[0]);
    result[1] = factor * (along * sign * p[1] + x[1]);
    result[2] = factor * (along * sign * p[2] + x[2]);
  }
};

inline ConeScaling scale_pair(const double* s, const double* z) {
  const double size_s = std::sqrt(cone_determinant(s)), size_z = std::sqrt(cone_determinant(z));
  const double product = (s[0] * z[0] + s[1] * z[1] + s[2] * z[2]) / (size_s * size_z);
  const double f = 1 / std::sqrt(2 * (1 + product));  // 1/(2γ)
  ConeScaling result;
  result.beta = std::sqrt(size_s / size_z);
  result.w = {f * (s[0] / size_s + z[0] / size_z), f * (s[1] / size_s - z[1] / size_z),
              f * (s[2] / size_s - z[2] / size_z)};
  const double g = 1 / std::sqrt(2 * (result.w[0] + 1));
  result.v = {g * (result.w[0] + 1), g * result.w[1], g * result.w[2]};
  return result;
}

}  // namespace pequod
