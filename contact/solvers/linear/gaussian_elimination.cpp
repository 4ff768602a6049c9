#include "contact/solvers/linear/gaussian_elimination.h"

#include <algorithm>
#include <cmath>

#include "contact/solvers/linear/lanes.h"
#include "contact/solvers/linear/small_vector_operations.h"

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

/// Of `Count` rows of `stride` from `row` on the entries begin … end −= Σ factor_k · pivot row k,
/// the four of a panel from `pivots` on; the factors stand at `factors` of each row.
template <int Count>
PEQUOD_INLINE void subtract_panel(const double* pivots, int stride, double* row, int factors,
                                  int begin, int end) {
  double f[Count][kPanel];
  for (int r = 0; r < Count; ++r)
    for (int k = 0; k < kPanel; ++k) f[r][k] = row[r * stride + factors + k];
  int j = begin;
  for (; j + kLanes <= end; j += kLanes) {
    const Lanes p0 = lanes(pivots + j), p1 = lanes(pivots + stride + j);
    const Lanes p2 = lanes(pivots + 2 * stride + j), p3 = lanes(pivots + 3 * stride + j);
    for (int r = 0; r < Count; ++r) {
      lanes(row + r * stride + j) -= (f[r][0] * p0 + f[r][1] * p1) + (f[r][2] * p2 + f[r][3] * p3);
    }
  }
  for (; j < end; ++j)
    for (int r = 0; r < Count; ++r)
      row[r * stride + j] -= (f[r][0] * pivots[j] + f[r][1] * pivots[stride + j]) +
                             (f[r][2] * pivots[2 * stride + j] + f[r][3] * pivots[3 * stride + j]);
}

/// What stands right of the panel at `first`, in all rows below.
PEQUOD_TWICE void subtract_below(const Rows& rows, int first) {
  const int rest = first + kPanel;
  const double* pivots = rows.A + first * rows.stride;
  int i = rest;
  for (; i + 1 < rows.n; i += 2)
    subtract_panel<2>(pivots, rows.stride, rows.A + i * rows.stride, first, rest, rows.columns);
  if (i < rows.n)
    subtract_panel<1>(pivots, rows.stride, rows.A + i * rows.stride, first, rest, rows.columns);
}

/// row[begin … end) −= Σ factor_k · pivot row k, for `width` pivot rows.
void subtract_rows(const double* pivots, int stride, int width, const double* factors,
                   double* __restrict row, int begin, int end) {
  for (int k = 0; k < width; ++k)
    for (int j = begin; j < end; ++j) row[j] -= factors[k] * pivots[k * stride + j];
}

bool factor_rows(const Rows& rows) {
  double* A = rows.A;
  const int n = rows.n, stride = rows.stride;
  for (int first = 0; first < n; first += kPanel) {
    const int width = std::min(kPanel, n - first);
    const int rest = first + width;
    if (!factor_panel(rows, first, width)) return false;
    // The pivot rows themselves, then all below, right of the panel.
    for (int i = first + 1; i < rest; ++i)
      subtract_rows(A + first * stride, stride, i - first, A + i * stride + first, A + i * stride,
                    rest, rows.columns);
    if (width == kPanel) subtract_below(rows, first);
  }
  return true;
}

}  // namespace

bool eliminate(double* A, int n, int stride, double* x) {
  if (!factor_rows({A, n, n + 1, stride, nullptr})) return false;
  for (int i = n - 1; i >= 0; --i)
    x[i] =
        (A[i * stride + n] - dot(A + i * stride + i + 1, x + i + 1, n - i - 1)) / A[i * stride + i];
  return true;
}

bool factorise_eliminated(double* A, int n, int stride, int* pivots) {
  return factor_rows({A, n, n, stride, pivots});
}

void solve_eliminated(const double* A, int n, int stride, const int* pivots, double* x) {
  for (int k = 0; k < n; ++k) std::swap(x[k], x[pivots[k]]);
  for (int i = 1; i < n; ++i) x[i] -= dot(A + i * stride, x, i);
  for (int i = n - 1; i >= 0; --i)
    x[i] = (x[i] - dot(A + i * stride + i + 1, x + i + 1, n - i - 1)) / A[i * stride + i];
}

}  // namespace pequod
