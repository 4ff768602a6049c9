#pragma once

#include <span>

#include "contact/solvers/least_distance/least_distance.h"
#include "contact/solvers/linear/equality_reduction.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/small_vector_operations.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// A least-distance problem in the form the active-set methods work on: no equalities, unit rows,
///
///   min ½|y − y₀|²  subject to  gᵢᵀy ≥ cᵢ.
///
/// The equalities are gone into an orthonormal basis of their null space. A row is scaled by its
/// length *before* that; one of which less than `left` is left carries no force.
class ReducedProblem {
 public:
  /// The problem must outlive this object; its matrices are not copied if there is no equality.
  /// @param solution  gets its sizes, the accepted equalities, and a ray if there is no solution
  /// @return  `solved` if the equalities and the rows they decide hold, else the verdict
  SolveStatus prepare(const LeastDistanceProblem& problem, const LeastDistanceOptions& options,
                      LeastDistanceSolution& solution);

  [[nodiscard]] Index dimension() const { return m_; }
  [[nodiscard]] Index full_dimension() const { return stride_; }  ///< with the equalities
  [[nodiscard]] Index rows() const { return n_; }
  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] Eigen::Map<const VectorXd> y0() const { return {y0_, m_}; }
  [[nodiscard]] double c(Index i) const { return c_[i]; }
  [[nodiscard]] bool idle(Index i) const { return inverse_norm_[i] == 0.0; }
  /// What the equalities leave of the length of row i, relative. Its direction is known up to
  /// rounding over this.
  [[nodiscard]] double left(Index i) const { return left_[i]; }
  /// Row i is decided by the others: from now on it is idle.
  void retire(Index i) { inverse_norm_[i] = 0.0; }

  /// gᵢ → g
  void unit_row(Index i, VectorXd& g) const;
  /// gᵢᵀy − cᵢ
  [[nodiscard]] double slack(Index i, const VectorXd& y) const {
    return inverse_norm_[i] * dot(G_ + i * stride_, y.data(), m_) - c_[i];
  }
  /// The row i not in the set of smallest gᵢᵀy − cᵢ, the lowest index among equals; −1 if that is
  /// not below −tolerance.
  template <class InSet>
  [[nodiscard]] int most_violated(const VectorXd& y, double tolerance, InSet in_set) const {
    int worst = -1;
    double least = -tolerance;
    for (Index i = 0; i < n_; ++i) {
      if (idle(i) || in_set(i)) continue;
      const double w = slack(i, y);
      if (w < least) {
        least = w;
        worst = static_cast<int>(i);
      }
    }
    return worst;
  }

  /// Writes y, f, fe of the original problem.
  /// @param y  dimension() entries
  /// @param u  multipliers of the unit rows listed in `set`
  void expand(const VectorXd& y, std::span<const int> set, const VectorXd& u,
              LeastDistanceSolution& solution);
  /// Writes the ray f, fe of an infeasible problem instead; same arguments.
  void expand_ray(std::span<const int> set, const VectorXd& u, LeastDistanceSolution& solution);
  void poison() {
    pequod::poison(equalities_, split_y0_, split_G_, c_, inverse_norm_, left_, work_);
  }

 private:
  void scale_rows();
  void remove_equalities(const LeastDistanceOptions& options);
  bool equalities_contradict(const LeastDistanceOptions& options, LeastDistanceSolution& solution);
  bool idle_row_contradicts(const LeastDistanceOptions& options, LeastDistanceSolution& solution);
  /// Solves E fe = work_.
  void write_equality_multipliers(LeastDistanceSolution& solution);

  const LeastDistanceProblem* problem_ = nullptr;
  EqualityReduction equalities_;
  Index m_ = 0, n_ = 0;
  double scale_ = 0;
  const double* y0_ = nullptr;  // m_ entries
  const double* G_ = nullptr;   // columns not scaled, stride_ apart
  Index stride_ = 0;            // m of the original problem
  VectorXd split_y0_, split_G_, c_, inverse_norm_, left_, work_;
};

}  // namespace pequod
