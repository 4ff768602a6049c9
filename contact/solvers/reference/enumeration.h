#pragma once

#include <vector>

#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/complementarity/lcp_workspace.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// More rows than this are not enumerated: 2²⁰ cases take seconds.
inline constexpr int kMostEnumeratedRows = 20;

/// Tries all 2ⁿ choices of the rows where w = 0, in the order of binary numbers but the set of the
/// warm start first, and takes the first that solves the problem: exact up to rounding, for any M,
/// as the truth for other methods. A choice whose block of M is singular is a question of whether
/// −q lies in its complementary cone (Cottle, Pang & Stone 1992, sec. 1.3), which non-negative
/// least squares answers. If no choice is left there is no solution, with a certificate if no z ≥ 0
/// has M z + q ≥ 0. More than kMostEnumeratedRows rows are a failure. Singular choices allocate.
/// Arguments and errors as ComplementarityMethod says.
ComplementarityMethod<LcpProblem> solve_lcp_by_enumeration;

/// The z of all choices that solve the problem, each once: all isolated solutions, and of a
/// continuum the corners that are found.
/// @throws std::invalid_argument  if the sizes do not fit together or there are too many rows
[[nodiscard]] std::vector<VectorXd> all_lcp_solutions(const LcpProblem& problem,
                                                      const LcpOptions& options = {});

}  // namespace pequod
