#pragma once

#include <vector>

#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Householder factorisation of the equalities Eᵀy = e, taken column by column, so that of
/// dependent columns the first ones are kept (Drumwright 2015, Algorithm 2, finds the same rows
/// from Cholesky factors). With H the product of the reflections, the leading entries of Hᵀy are
/// fixed by the equalities and the others are free: coordinates in an orthonormal basis of the
/// null space of Eᵀ.
class EqualityReduction {
 public:
  /// No equalities yet. Allocates only if m is larger than ever before.
  void reset(Index m);
  /// Once after reset().
  /// @param E     m×k
  /// @param e     k
  /// @param rank  a column whose remainder is shorter than rank·|Eⱼ| is dependent
  void factor(const Eigen::Ref<const MatrixXd>& E, const Eigen::Ref<const VectorXd>& e,
              double rank);

  [[nodiscard]] Index rank() const { return static_cast<Index>(accepted_.size()); }
  [[nodiscard]] const std::vector<int>& accepted() const { return accepted_; }
  /// The leading entries of Hᵀy that the equalities fix; rank() of them.
  [[nodiscard]] Eigen::Map<const VectorXd> fixed() const { return {fixed_.data(), rank()}; }

  void to_split(double* y) const;    ///< y ← Hᵀy, m entries
  void from_split(double* y) const;  ///< y ← H y, m entries

  /// Multipliers of the accepted columns: E fe has the leading entries `a` in Hᵀ coordinates.
  /// @param a   rank() entries, destroyed
  /// @param fe  zero for the other columns
  void multipliers(double* a, VectorXd& fe) const;
  void poison() { pequod::poison(V_, R_, norm_, fixed_, column_); }

 private:
  void reflect(Index i, double* y) const;

  Index m_ = 0;
  VectorXd V_;  // m×m by columns: reflection i is I − v vᵀ, v zero above row i
  VectorXd R_;  // m×m by columns: upper triangle of Hᵀ times the accepted unit columns
  VectorXd norm_, fixed_, column_;
  std::vector<int> accepted_;
};

}  // namespace pequod
