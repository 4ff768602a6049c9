#include "contact/solvers/gaussian_elimination.h"

#include <algorithm>
#include <cmath>

namespace pequod {

namespace {

constexpr int kPanel = 4;

/// Brings the largest entry of column k, rows k and below, to row k; moves the whole rows.
bool pivot(double* A, int n, int stride, int k) {
  int best = k;
  double largest = std::abs(A[k * stride + k]);
  for (int i = k + 1; i < n; ++i)
    if (std::abs(A[i * stride + k]) > largest) {
      largest = std::abs(A[i * stride + k]);
      best = i;
    }
  if (!(largest > 0) || !std::isfinite(largest)) return false;
  if (best != k) std::swap_ranges(A + k * stride, A + k * stride + n + 1, A + best * stride);
  return true;
}

/// Factorises columns first … first + width − 1, all rows below; the multipliers stay in place.
bool factor_panel(double* A, int n, int stride, int first, int width) {
  for (int k = first; k < first + width; ++k) {
    if (!pivot(A, n, stride, k)) return false;
    const double* row = A + k * stride;
    const double inverse = 1 / row[k];
    for (int i = k + 1; i < n; ++i) {
      double* below = A + i * stride;
      const double factor = below[k] *= inverse;
      for (int j = k + 1; j < first + width; ++j) below[j] -= factor * row[j];
    }
  }
  return true;
}

/// row[begin … end) −= Σ factor_k · pivot row k, for `width` pivot rows from `first` on.
void subtract_rows(const double* A, int stride, int first, int width, const double* factors,
                   double* __restrict row, int begin, int end) {
  const double* __restrict p0 = A + first * stride;
  if (width == kPanel) {
    const double* __restrict p1 = p0 + stride;
    const double* __restrict p2 = p1 + stride;
    const double* __restrict p3 = p2 + stride;
    const double f0 = factors[0], f1 = factors[1], f2 = factors[2], f3 = factors[3];
    for (int j = begin; j < end; ++j)
      row[j] -= (f0 * p0[j] + f1 * p1[j]) + (f2 * p2[j] + f3 * p3[j]);
    return;
  }
  for (int k = 0; k < width; ++k)
    for (int j = begin; j < end; ++j) row[j] -= factors[k] * p0[k * stride + j];
}

}  // namespace

bool eliminate(double* A, int n, int stride, double* x) {
  for (int first = 0; first < n; first += kPanel) {
    const int width = std::min(kPanel, n - first);
    const int rest = first + width;
    if (!factor_panel(A, n, stride, first, width)) return false;
    // The pivot rows themselves, then all below, right of the panel and with b.
    for (int i = first + 1; i < rest; ++i)
      subtract_rows(A, stride, first, i - first, A + i * stride + first, A + i * stride, rest,
                    n + 1);
    for (int i = rest; i < n; ++i)
      subtract_rows(A, stride, first, width, A + i * stride + first, A + i * stride, rest, n + 1);
  }
  for (int i = n - 1; i >= 0; --i) {
    double sum = A[i * stride + n];
    for (int j = i + 1; j < n; ++j) sum -= A[i * stride + j] * x[j];
    x[i] = sum / A[i * stride + i];
  }
  return true;
}

}  // namespace pequod
