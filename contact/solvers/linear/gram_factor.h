#pragma once

#include <vector>

#include "contact/solvers/linear/sparse_columns.h"
#include "contact/solvers/linear/sparse_factor.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// GᵀG of some columns of a sparse matrix G, factored, for nearest points under equalities.
///
/// The factor has the square of the condition of G, so it only proposes: what it leaves of the
/// equalities is measured with G itself and corrected until that is rounding (corrected seminormal
/// equations, Björck 1987). Columns that come near a combination of others need an orthogonal
/// factor instead, and are told.
class GramFactor {
 public:
  /// The columns offered. The structure is analysed again only if it differs from the last one.
  void set(const SparseColumns& G);

  /// Factors the columns with wanted[j] ≠ 0.
  /// @return whether all were independent; of those that are not by kIndependent, see dependent()
  bool factorise(const std::vector<char>& wanted);
  /// One flag a column: wanted, but so near a combination of others that it was left out.
  [[nodiscard]] const std::vector<char>& dependent() const { return dependent_; }

  /// The nearest y⁺ = y + G f to y with gⱼᵀy⁺ = eⱼ for the columns of the last factorise(), and f,
  /// zero for the others.
  /// @return largest |gⱼᵀy⁺ − eⱼ|/|gⱼ| over them, relative to |y| + |y⁺ − y|
  double solve(const SparseColumns& G, const VectorXd& e, VectorXd& y, VectorXd& f);

  /// A column whose remainder is below this share of its length is not told from a combination of
  /// the others: its pivot is the square, and rounding leaves 1e-13 of that.
  static constexpr double kIndependent = 1e-5;

 private:
  void find_structure(const SparseColumns& G);
  double correct(const SparseColumns& G, const VectorXd& e, VectorXd& y, VectorXd& f);

  std::vector<int> starts_, rows_;         // of G, when its structure was analysed
  std::vector<int> row_start_, row_list_;  // columns with an entry in each row of G
  std::vector<int> gram_start_, neighbour_, mark_;
  std::vector<double> gram_, spread_, length_;
  std::vector<char> wanted_, dependent_;
  SparseFactor factor_;
  VectorXd left_, step_;
};

}  // namespace pequod
