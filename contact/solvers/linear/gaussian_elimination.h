#pragma once

namespace pequod {

// Gaussian elimination with partial pivoting, four pivots at a time. It allocates nothing and for a
// few hundred unknowns keeps up with Eigen's blocked LU. A matrix is n rows of `stride` doubles.

/// Solves A x = b in place.
/// @param A       the rows of A, each followed by its entry of b; destroyed; stride > n
/// @param x       n, the result; no part of A
/// @return        false if a pivot is zero or not finite; x is not written then
[[nodiscard]] bool eliminate(double* A, int n, int stride, double* x);

/// A ← its factors, for solve_eliminated; stride ≥ n.
/// @param pivots  n, the row that changed places with row k at step k
/// @return        false if a pivot is zero or not finite
[[nodiscard]] bool factorise_eliminated(double* A, int n, int stride, int* pivots);

/// x ← A⁻¹ x
void solve_eliminated(const double* A, int n, int stride, const int* pivots, double* x);

}  // namespace pequod
