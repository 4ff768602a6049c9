#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "contact/solvers/linear/solve_status.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Linear complementarity: find z ≥ 0 with w = M z + q ≥ 0 and zᵀw = 0.
struct LcpProblem {
  MatrixXd M;  ///< n×n, need not be symmetric
  VectorXd q;  ///< n
};

/// Mixed linear complementarity, w = M z + q: where `equality` is set, z is free and w = 0; in the
/// other rows z ≥ 0, w ≥ 0 and z w = 0. Solved as a box, see as_box().
struct MlcpProblem {
  MatrixXd M;                  ///< n×n
  VectorXd q;                  ///< n
  std::vector<char> equality;  ///< n flags, not zero for an equality
};

/// The affine variational inequality of a box (relay problem): z in [lower, upper] with
/// −(M z + q) in the normal cone of the box at z. With w = M z + q, row by row: w ≥ 0 at the lower
/// bound, w ≤ 0 at the upper one, w = 0 between. Bounds may be infinite, so both kinds above are
/// special cases: [0, ∞] is a complementarity row, [−∞, ∞] an equality.
struct BoxProblem {
  MatrixXd M;      ///< n×n
  VectorXd q;      ///< n
  VectorXd lower;  ///< n, −∞ where there is none
  VectorXd upper;  ///< n, ≥ lower, ∞ where there is none
};

struct LcpOptions {
  /// A relative natural residual above this is a failure; so is, for an LCP, one above 10⁻⁹ max
  /// |qᵢ|, which a huge z would hide.
  double residual = 1e-10;
  double zero = 1e-12;     ///< a pivot below this times the size of its matrix counts as zero
  int max_iterations = 0;  ///< pivots, Newton steps or sweeps; 0: the limit of the method
};

/// How far z is from a solution, recomputed from the problem. The natural map is
/// z − (z − w) projected onto the box (for an LCP min(z, w), for an equality w); it is zero at the
/// solutions and nowhere else.
struct LcpResiduals {
  double natural = NAN;          ///< 2-norm of the natural map, in the mixed units of z and w
  double relative = NAN;         ///< that over max(|q|, |z|, |w|), or itself if those are zero
  double infeasibility = NAN;    ///< largest violation of a sign or bound of z, or sign of w
  double complementarity = NAN;  ///< largest |w| times the distance of z from the bound w needs
};

struct LcpSolution {
  SolveStatus status = SolveStatus::failed;
  std::string reason;  ///< why it is not `solved`; empty if it is

  VectorXd z, w;  ///< n each; with `failed` the best point found, w = M z + q always
  /// With `no_solution` n entries p that prove it: pᵀ(M z + q) ≥ 0 for each solution z, but < 0 for
  /// each z in the box. For an LCP: p ≥ 0, Mᵀp ≤ 0, qᵀp < 0 (Farkas). Empty otherwise, and if
  /// `enumerate` has ruled out every case one by one.
  VectorXd certificate;

  LcpResiduals residuals;
  std::string_view solver;  ///< name of the method that produced z or the certificate
  int pivots = 0;           ///< exchanges of the pivoting methods, else steps or sweeps
  int switches = 0;         ///< changes to a shifted matrix or to another method
};

struct LcpWorkspace;

/// What every complementarity solver looks like.
/// @param warm_start  n entries near a solution, such as z of the last step, or none. It changes
///                    the work, and where z is not unique the choice of z. May be solution.z.
/// @param solution    every field is overwritten; its buffers are kept, so that after the first
///                    solve of a size nothing is allocated unless the solve fails
/// @throws std::invalid_argument  if the sizes do not fit together
template <class Problem>
using ComplementarityMethod = void(const Problem& problem, const LcpOptions& options,
                                   const VectorXd& warm_start, LcpWorkspace& workspace,
                                   LcpSolution& solution);

/// @throws std::invalid_argument  with the sizes, if they do not fit together; for a box also if a
///                                lower bound is above its upper one
void check_sizes(const LcpProblem& problem);
void check_sizes(const BoxProblem& problem);

/// The mixed problem as a box with infinite bounds.
/// @throws std::invalid_argument  if the sizes do not fit together
[[nodiscard]] BoxProblem as_box(const MlcpProblem& problem);

/// Computes w and the residuals of solution.z from the problem alone, of either kind.
template <class Problem>
void measure(const Problem& problem, LcpSolution& solution);

/// How large a solution must be for p to allow it, as Σ|zᵢ − bᵢ| over the rows without one of the
/// bounds, bᵢ the other bound or zero: −g over the largest entry of Mᵀp that helps, where g is
/// pᵀ(M z + q) with z = b in those rows and its best choice in the others. ∞ if no entry helps: p
/// is a proof without rounding. 0 if p has a wrong sign or g ≥ 0: it proves nothing.
template <class Problem>
[[nodiscard]] double ruled_out(const Problem& problem, const VectorXd& p);

}  // namespace pequod
