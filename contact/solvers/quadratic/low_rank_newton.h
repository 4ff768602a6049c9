#pragma once

#include <vector>

#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/row_major.h"
#include "contact/solvers/linear/vectors.h"
#include "contact/solvers/quadratic/second_order_cone.h"

namespace pequod {

/// The Newton system of an interior point, K = [A + C Θ⁻² C, Bᵀ; B, −Θ²], C = diag(μ, 1, 1) of
/// each contact, where many contacts push few bodies: A of N rows has a rank r far below N. With
/// A = L Lᵀ, [L Bᵀ] = V T and D = C Θ⁻² C, which is inverted contact by contact, what is factored
/// is
///
///   diag(1, Θ²) + Tᵀ (Vᵀ D⁻¹ V) T    of r + l rows,   x = D⁻¹ (r₁ − V T [y; w]),
///
/// and the digits that D⁻¹ costs come back by refinement with K itself. V has few columns: rows of
/// B that are combinations of those of A (normal velocities) add none. Rows of B that bound one
/// normal component each are in D, not in V.
struct LowRankNewton {
  MatrixXd V;      ///< N×t: L, and the rows of B that are not of its range
  MatrixXd T;      ///< t×(r + l)
  MatrixXd DV;     ///< D⁻¹V
  MatrixXd VDV;    ///< Vᵀ D⁻¹ V
  MatrixXd small;  ///< what is factored
  /// Positive definite but for rounding, which near the end is as large as its least pivots.
  Eigen::LDLT<MatrixXd> factor;
  std::vector<Eigen::Matrix3d> D;        ///< of each contact
  std::vector<Eigen::Matrix3d> inverse;  ///< of that with its bound
  std::vector<Index> bound;              ///< row of B that bounds its normal; −1: none
  VectorXd linear;                       ///< l, Θ² of the linear rows
  VectorXd right, left, x, step, small_step, along;
  Index rank = 0;

  void poison() {
    pequod::poison(V, T, DV, VDV, small, D, inverse, bound, linear, right, left, x, step,
                   small_step, along);
  }
};

/// Looks for the factor L of A, and sets V. @param B  l×N, the last rows bounds x ≥ 0 of one normal
/// each; @param bounds  how many
/// @return whether the small system is small enough to pay
bool find_low_rank(const RowMajorMatrix& A, const RowMajorMatrix& B, Index bounds,
                   LowRankNewton& system);

/// Forms and factors. @param mu  of the contacts, of which each has a cone; @param linear  Θ² of
/// the linear rows; @param scalings  of the cones, none: Θ = 1
/// @return whether it could be factored
bool factor_low_rank(const VectorXd& mu, const std::vector<ConeScaling>& scalings,
                     LowRankNewton& system);

/// solution ← K⁻¹ solution, N + l entries.
/// @return whether it leaves at most `allowed` (2-norm) of the right side, which near the end of an
/// interior point it may not: D⁻¹ of cones that are not reached grows beyond all digits; if not,
/// the solution is as it was
bool solve_low_rank(const RowMajorMatrix& A, const RowMajorMatrix& B, double allowed,
                    LowRankNewton& system, VectorXd& solution);

}  // namespace pequod
