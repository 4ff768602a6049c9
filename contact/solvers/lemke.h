#pragma once

#include <Eigen/Dense>

namespace pequod {

/// Linear complementarity: find z ≥ 0 with w = M z + q ≥ 0 and zᵀw = 0.
struct LcpProblem {
  Eigen::MatrixXd M;  ///< n×n, need not be symmetric
  Eigen::VectorXd q;  ///< n
};

struct LemkeOptions {
  double zero = 1e-12;  ///< relative to max |Mᵢⱼ|: a smaller pivot counts as zero
  int max_pivots = 1000;
};

enum class LcpStatus { solved, no_solution, pivot_limit };

struct LcpSolution {
  LcpStatus status = LcpStatus::pivot_limit;
  Eigen::VectorXd z, w;          ///< n each
  double infeasibility = NAN;    ///< max(0, −min z, −min w), unit of q
  double complementarity = NAN;  ///< max |zᵢ wᵢ|
  int pivots = 0;
};

/// Lemke's method, lexicographic ties (Cottle, Pang & Stone 1992, sec. 4.4 and 4.9).
/// The set it ends on is solved once more from the problem, which removes the rounding that the
/// pivots gathered. no_solution: it ended on a ray, which proves it if M is copositive-plus.
/// Data that are not finite end in `pivot_limit` after no pivot.
/// @throws std::invalid_argument  if M is not n×n
[[nodiscard]] LcpSolution solve_lemke(const LcpProblem& problem, const LemkeOptions& options = {});

struct RegularisationOptions {
  LemkeOptions lemke;
  double good = 1e-12;   ///< a natural residual below this times max |qᵢ| is good enough
  double first = 1e-14;  ///< λ of the first attempt, relative to max |Mᵢⱼ|
  double last = 1e-4;    ///< λ of the last attempt; each one takes ten times the λ before it
};

struct RegularisedLcpSolution {
  LcpSolution solution;  ///< residuals and w belong to the problem as given, not to M + λI
  double lambda = 0;     ///< λ of the attempt that was kept, 0 for Lemke's method alone
  int attempts = 0;      ///< with λ > 0
};

/// Lemke's method, and where it fails or leaves a residual, Tikhonov regularisation: the same with
/// M + λI for a rising λ (Cottle, Pang & Stone 1992, sec. 5.6; Drumwright 2015, sec. VII). Each λ
/// is repeated around its own result while that halves the residual. Ends with the first good
/// solution; if there is none, with the solution of least natural residual, so look at that. A ray
/// of the plain method stands unless a residual below 10⁻⁸ max |qᵢ| contradicts it.
/// @throws std::invalid_argument  if M is not n×n
[[nodiscard]] RegularisedLcpSolution solve_lcp_regularised(
    const LcpProblem& problem, const RegularisationOptions& options = {});

/// max |min(zᵢ, wᵢ)|, zero at a solution and nowhere else; unit of q if z has it too.
[[nodiscard]] double natural_residual(const LcpSolution& solution);

}  // namespace pequod
