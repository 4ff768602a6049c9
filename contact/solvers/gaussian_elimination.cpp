#include "contact/solvers/gaussian_elimination.h"

#include <algorithm>
#include <cmath>

#include "contact/solvers/small_vector_operations.h"

namespace pequod {

namespace {

constexpr int kPanel = 4;

/// `columns` entries of each of n rows count: n, or n + 1 with the right-hand side.
struct Rows {
  double* A;
  int n, columns, stride;
  int* pivots;  ///< n, or null
};

/// Brings the largest entry of column k, rows k and below, to row k; moves the whole rows.
bool pivot(const Rows& rows, int k) {
  double* A = rows.A;
  const int n = rows.n, stride = rows.stride;
  int best = k;
  double largest = std::abs(A[k * stride + k]);
  for (int i = k + 1; i < n; ++i)
    if (std::abs(A[i * stride + k]) > largest) {
      largest = std::abs(A[i * stride + k]);
      best = i;
    }
  if (!(largest > 0) || !std::isfinite(largest)) return false;
  if (best != k) std::swap_ranges(A + k * stride, A + k * stride + rows.columns, A + best * stride);
  if (rows.pivots) rows.pivots[k] = best;
  return true;
}

/// Factorises columns first … first + width − 1, all rows below; the multipliers stay in place.
bool factor_panel(const Rows& rows, int first, int width) {
  double* A = rows.A;
  const int n = rows.n, stride = rows.stride;
  for (int k = first; k < first + width; ++k) {
    if (!pivot(rows, k)) return false;
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

bool factorise(const Rows& rows) {
  double* A = rows.A;
  const int n = rows.n, stride = rows.stride;
  for (int first = 0; first < n; first += kPanel) {
    const int width = std::min(kPanel, n - first);
    const int rest = first + width;
    if (!factor_panel(rows, first, width)) return false;
    // The pivot rows themselves, then all below, right of the panel.
    for (int i = first + 1; i < rest; ++i)
      subtract_rows(A, stride, first, i - first, A + i * stride + first, A + i * stride, rest,
                    rows.columns);
    for (int i = rest; i < n; ++i)
      subtract_rows(A, stride, first, width, A + i * stride + first, A + i * stride, rest,
                    rows.columns);
  }
  return true;
}

}  // namespace

bool eliminate(double* A, int n, int stride, double* x) {
  if (!factorise({A, n, n + 1, stride, nullptr})) return false;
  for (int i = n - 1; i >= 0; --i)
    x[i] =
        (A[i * stride + n] - dot(A + i * stride + i + 1, x + i + 1, n - i - 1)) / A[i * stride + i];
  return true;
}

bool factorise_eliminated(double* A, int n, int stride, int* pivots) {
  return factorise({A, n, n, stride, pivots});
}

void solve_eliminated(const double* A, int n, int stride, const int* pivots, double* x) {
  for (int k = 0; k < n; ++k) std::swap(x[k], x[pivots[k]]);
  for (int i = 1; i < n; ++i) x[i] -= dot(A + i * stride, x, i);
  for (int i = n - 1; i >= 0; --i)
    x[i] = (x[i] - dot(A + i * stride + i + 1, x + i + 1, n - i - 1)) / A[i * stride + i];
}

}  // namespace pequod
