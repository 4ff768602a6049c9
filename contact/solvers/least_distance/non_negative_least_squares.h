#pragma once

#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// The z ≥ 0 of least |A z − b|, by the active-set method of Lawson & Hanson 1974, ch. 23. Each set
/// is solved by a factorisation of its own, so rounding does not gather: O(m n²) a change, for
/// small problems and last resorts. Ties go to the lowest column.
/// @param A          m×n, columns no longer than about one
/// @param b          m
/// @param dependent  a column of which the others leave less depends on them
/// @return           n; after 3 n + 10 changes the best so far
[[nodiscard]] VectorXd solve_non_negative_least_squares(const MatrixXd& A, const VectorXd& b,
                                                        double dependent = 1e-14);

}  // namespace pequod
