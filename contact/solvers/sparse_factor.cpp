#include "contact/solvers/sparse_factor.h"

#include <Eigen/OrderingMethods>
#include <algorithm>

namespace pequod {

void SparseFactor::analyse(const std::vector<int>& starts, const std::vector<int>& rows) {
  if (starts == starts_ && rows == rows_) return;
  starts_ = starts;
  rows_ = rows;
  order();
  count_columns();
}

void SparseFactor::order() {
  const int n = static_cast<int>(starts_.size()) - 1;
  const std::vector<double> ones(rows_.size(), 1.0);
  const Eigen::Map<const Eigen::SparseMatrix<double>> pattern(
      n, n, static_cast<Eigen::Index>(rows_.size()), starts_.data(), rows_.data(), ones.data());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> found;
  Eigen::AMDOrdering<int>()(Eigen::SparseMatrix<double>(pattern), found);
  permutation_.assign(found.indices().begin(), found.indices().end());
  inverse_.resize(n);
  for (int k = 0; k < n; ++k) inverse_[permutation_[k]] = k;
}

// The elimination tree, and where the columns of L begin.
void SparseFactor::count_columns() {
  const int n = static_cast<int>(permutation_.size());
  parent_.assign(n, -1);
  mark_.assign(n, -1);
  filled_.assign(n, 0);
  stack_.resize(n);
  for (int k = 0; k < n; ++k) {
    mark_[k] = k;
    for (int e = starts_[permutation_[k]]; e < starts_[permutation_[k] + 1]; ++e)
      for (int i = inverse_[rows_[e]]; i < k && mark_[i] != k; i = parent_[i]) {
        if (parent_[i] < 0) parent_[i] = k;
        ++filled_[i];
        mark_[i] = k;
      }
  }
  column_start_.assign(1, 0);
  for (int i = 0; i < n; ++i) column_start_.push_back(column_start_.back() + filled_[i]);
  L_.resize(column_start_.back());
  L_rows_.resize(column_start_.back());
  D_.resize(n);
  y_.resize(n);
}

// The columns that row k of L has entries in, children before parents, at the end of stack_.
// @return where they begin
int SparseFactor::reach(int k) {
  int top = static_cast<int>(permutation_.size());
  mark_[k] = k;
  for (int e = starts_[permutation_[k]]; e < starts_[permutation_[k] + 1]; ++e) {
    int length = 0;
    for (int i = inverse_[rows_[e]]; i < k && mark_[i] != k; i = parent_[i]) {
      stack_[length++] = i;
      mark_[i] = k;
    }
    while (length > 0) stack_[--top] = stack_[--length];
  }
  return top;
}

bool SparseFactor::factorise(const std::vector<double>& values, double shift) {
  const int n = static_cast<int>(permutation_.size());
  std::fill(mark_.begin(), mark_.end(), -1);
  std::fill(filled_.begin(), filled_.end(), 0);
  std::fill(y_.begin(), y_.end(), 0.0);
  for (int k = 0; k < n; ++k) {
    const int top = reach(k);
    D_[k] = shift;
    for (int e = starts_[permutation_[k]]; e < starts_[permutation_[k] + 1]; ++e) {
      const int i = inverse_[rows_[e]];
      if (i < k) y_[i] += values[e];
      if (i == k) D_[k] += values[e];
    }
    for (int at = top; at < n; ++at) {
      const int i = stack_[at];
      const double y = y_[i];
      y_[i] = 0.0;
      const int end = column_start_[i] + filled_[i];
      for (int e = column_start_[i]; e < end; ++e) y_[L_rows_[e]] -= L_[e] * y;
      L_rows_[end] = k;
      L_[end] = y / D_[i];
      D_[k] -= L_[end] * y;
      ++filled_[i];
    }
    if (D_[k] == 0.0) return false;
  }
  return true;
}

void SparseFactor::solve(const Eigen::VectorXd& right, Eigen::VectorXd& x) {
  const int n = static_cast<int>(permutation_.size());
  for (int k = 0; k < n; ++k) y_[k] = right[permutation_[k]];
  for (int k = 0; k < n; ++k)
    for (int e = column_start_[k]; e < column_start_[k + 1]; ++e) y_[L_rows_[e]] -= L_[e] * y_[k];
  for (int k = 0; k < n; ++k) y_[k] /= D_[k];
  for (int k = n; k-- > 0;)
    for (int e = column_start_[k]; e < column_start_[k + 1]; ++e) y_[k] -= L_[e] * y_[L_rows_[e]];
  x.resize(n);
  for (int k = 0; k < n; ++k) x[permutation_[k]] = y_[k];
}

}  // namespace pequod
