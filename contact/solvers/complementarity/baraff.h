#pragma once

#include <vector>

#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/complementarity/lcp_workspace.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Contact forces with static friction, row by row: a = A f + b. A normal row wants f ≥ 0, a ≥ 0,
/// f a = 0. A friction row, one tangent direction of a contact at rest, is bounded by the force f_N
/// of its normal row (Baraff 1994, sec. 5): |f| ≤ μ f_N, a f ≤ 0, a (μ f_N − |f|) = 0.
///
/// Dynamic friction (sec. 6) is no row: with slip along the unit vector t, −μ times the column of t
/// is added to the column of the normal, which makes A unsymmetric.
struct BaraffProblem {
  MatrixXd A;               ///< n×n
  VectorXd b;               ///< n, m/s² (or m/s)
  std::vector<int> normal;  ///< n: −1 for a normal row, else the row of the normal force
  VectorXd mu;              ///< n, ≥ 0 and finite in friction rows; not read in the others
};

/// Baraff's extension of Dantzig's method: one row after another is driven to where it belongs,
/// while the rows that are done stay so: normal forces clamped (a = 0) or open (f = 0), friction
/// clamped (a = 0) or at a bound, f = ±μ f_N, that moves with its normal force. The method is not
/// proved to end where friction is large or A is singular; then Lemke's method takes the same
/// problem as an LCP (see baraff_lcp), `solver` says so and `switches` counts it.
///
/// A force without bound, as of Painlevé's rod, is `no_solution` if the LCP proves it; its
/// certificate belongs to the rows of baraff_lcp.
/// @param solution  z is f, w is a. The residual is the natural map of the bounds as they are at
///                  f_N, relative as for an LCP
/// @throws std::invalid_argument  if the sizes do not fit together, or a friction row names no
///                                normal row or has no coefficient of friction
void solve_baraff(const BaraffProblem& problem, const LcpOptions& options, LcpWorkspace& workspace,
                  LcpSolution& solution);

/// The same problem as an LCP: the normal forces first, in order; then for each friction row the
/// parts β⁺ and β⁻ of its force and a speed λ,
///   0 ≤ β± ⊥ ±a + λ ≥ 0,  0 ≤ λ ⊥ μ f_N − β⁺ − β⁻ ≥ 0.
/// @throws std::invalid_argument  as solve_baraff
[[nodiscard]] LcpProblem baraff_lcp(const BaraffProblem& problem);
/// The z of that LCP which a solution of the problem is.
[[nodiscard]] VectorXd baraff_lcp_answer(const BaraffProblem& problem, const LcpSolution& solution);

/// w and the residuals of solution.z from the problem alone.
void measure(const BaraffProblem& problem, LcpSolution& solution);

}  // namespace pequod
