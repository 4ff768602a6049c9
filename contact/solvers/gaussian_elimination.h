#pragma once

namespace pequod {

/// Solves A x = b in place by Gaussian elimination with partial pivoting, four pivots at a time.
/// It allocates nothing and for a few hundred unknowns keeps up with Eigen's blocked LU.
/// @param A       n rows of `stride` doubles: a row of A, then the entry of b; destroyed
/// @param stride  > n
/// @param x       n, the result; no part of A
/// @return        false if a pivot is zero or not finite; x is not written then
[[nodiscard]] bool eliminate(double* A, int n, int stride, double* x);

}  // namespace pequod
