#pragma once

#include <array>

#include "contact/solvers/linear/vectors.h"

namespace pequod {

// Loops over a few doubles, written out because an Eigen matrix product of this size spends its
// time in dispatch. The order of the sums is fixed, so the bits do not depend on alignment.

/// Two entries side by side, which processors of any kind take at once.
using Two = Eigen::Map<Eigen::Array2d>;
using ConstTwo = Eigen::Map<const Eigen::Array2d>;

/// xᵀy
inline double dot(const double* x, const double* y, Index n) {
  // Two chains: one alone waits for the latency of each addition.
  Eigen::Array2d sum(0.0, 0.0);
  Index i = 0;
  for (; i + 3 < n; i += 4) {
    sum += ConstTwo(x + i) * ConstTwo(y + i);
    sum += ConstTwo(x + i + 2) * ConstTwo(y + i + 2);
  }
  for (; i + 1 < n; i += 2) sum += ConstTwo(x + i) * ConstTwo(y + i);
  if (i < n) sum[0] += x[i] * y[i];
  return sum[0] + sum[1];
}

/// xᵀx and xᵀy, of one way through x. The same bits as one after the other.
inline std::array<double, 2> square_and_dot(const double* x, const double* y, Index n) {
  Eigen::Array2d square(0.0, 0.0), sum(0.0, 0.0);
  Index i = 0;
  const auto take_two = [&](Index at) {
    const Eigen::Array2d two = ConstTwo(x + at);
    square += two * two;
    sum += two * ConstTwo(y + at);
  };
  for (; i + 3 < n; i += 4) {
    take_two(i);
    take_two(i + 2);
  }
  for (; i + 1 < n; i += 2) take_two(i);
  if (i < n) {
    square[0] += x[i] * x[i];
    sum[0] += x[i] * y[i];
  }
  return {square[0] + square[1], sum[0] + sum[1]};
}

/// xᵀy for tens of entries and more: four chains.
inline double long_dot(const double* x, const double* y, Index n) {
  double a = 0, b = 0, c = 0, d = 0;
  Index i = 0;
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
inline void add_scaled(double a, const double* x, double* y, Index n) {
  Index i = 0;
  for (; i + 3 < n; i += 4) {
    Two(y + i) += a * ConstTwo(x + i);
    Two(y + i + 2) += a * ConstTwo(x + i + 2);
  }
  for (; i < n; ++i) y[i] += a * x[i];
}

/// (x, y) ← (c x + s y, c y − s x)
inline void rotate(double c, double s, double& x, double& y) {
  const double turned = c * x + s * y;
  y = c * y - s * x;
  x = turned;
}

/// Makes room for n entries; never shrinks, so that a workspace settles at its largest size.
inline void grow(VectorXd& x, Index n) {
  if (x.size() < n) x.resize(n);
}

}  // namespace pequod
