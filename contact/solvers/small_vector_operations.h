#pragma once

#include <Eigen/Dense>

namespace pequod {

// Loops over a few doubles, written out because an Eigen matrix product of this size spends its
// time in dispatch. The order of the sums is fixed, so the bits do not depend on alignment.

/// xᵀy
inline double dot(const double* x, const double* y, Eigen::Index n) {
  // Two chains: one alone waits for the latency of each addition.
  double even = 0, odd = 0;
  Eigen::Index i = 0;
  for (; i + 1 < n; i += 2) {
    even += x[i] * y[i];
    odd += x[i + 1] * y[i + 1];
  }
  if (i < n) even += x[i] * y[i];
  return even + odd;
}

/// xᵀy for tens of entries and more: four chains.
inline double long_dot(const double* x, const double* y, Eigen::Index n) {
  double a = 0, b = 0, c = 0, d = 0;
  Eigen::Index i = 0;
  for (; i + 3 < n; i += 4) {
    a += x[i] * y[i];
    b += x[i + 1] * y[i + 1];
    c += x[i + 2] * y[i + 2];
    d += x[i + 3] * y[i + 3];
  }
  for (; i < n; ++i) a += x[i] * y[i];
  return (a + c) + (b + d);
}

/// y ← y + a x
inline void add_scaled(double a, const double* x, double* y, Eigen::Index n) {
  for (Eigen::Index i = 0; i < n; ++i) y[i] += a * x[i];
}

/// (x, y) ← (c x + s y, c y − s x)
inline void rotate(double c, double s, double& x, double& y) {
  const double turned = c * x + s * y;
  y = c * y - s * x;
  x = turned;
}

/// Makes room for n entries; never shrinks, so that a workspace settles at its largest size.
inline void grow(Eigen::VectorXd& x, Eigen::Index n) {
  if (x.size() < n) x.resize(n);
}

}  // namespace pequod
