#include "contact/solvers/linear/sparse_factor.h"

#include <Eigen/OrderingMethods>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pequod {

void SparseFactor::analyse(const std::vector<int>& starts, const std::vector<int>& columns) {
  if (starts == starts_ && columns == columns_) return;
  starts_ = starts;
  columns_ = columns;
  order();
  count_columns();
}

void SparseFactor::order() {
  const int n = static_cast<int>(starts_.size()) - 1;
  const std::vector<double> ones(columns_.size(), 1.0);
  const Eigen::Map<const Eigen::SparseMatrix<double>> pattern(
      n, n, static_cast<Index>(columns_.size()), starts_.data(), columns_.data(), ones.data());
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
      for (int i = inverse_[columns_[e]]; i < k && mark_[i] != k; i = parent_[i]) {
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
    for (int i = inverse_[columns_[e]]; i < k && mark_[i] != k; i = parent_[i]) {
      stack_[length++] = i;
      mark_[i] = k;
    }
    while (length > 0) stack_[--top] = stack_[--length];
  }
  return top;
}

// Row k up to the diagonal into y_. @return the entry there
double SparseFactor::scatter(const std::vector<double>& values, int k) {
  double diagonal = 0.0;
  for (int e = starts_[permutation_[k]]; e < starts_[permutation_[k] + 1]; ++e) {
    const int i = inverse_[columns_[e]];
    if (i < k) y_[i] += values[e];
    if (i == k) diagonal += values[e];
  }
  return diagonal;
}

// Entry (k, i) of L, and what it takes from those that follow. @return what it takes from pivot k
double SparseFactor::eliminate_entry(int i, int k) {
  const double y = std::exchange(y_[i], 0.0);
  if (y == 0.0 || !std::isfinite(D_[i])) return 0.0;
  const int begin = column_start_[i], end = begin + filled_[i]++;
  L_rows_[end] = k;
  L_[end] = y / D_[i];
  for (int e = begin; e < end; ++e) y_[L_rows_[e]] -= L_[e] * y;
  return L_[end] * y;
}

// Row k of L, after scatter(). @return the pivot, of which `pivot` is the entry
// of A
double SparseFactor::eliminate(int k, double pivot) {
  const int n = static_cast<int>(permutation_.size());
  const int top = reach(k);
  for (int at = top; at < n; ++at) pivot -= eliminate_entry(stack_[at], k);
  return pivot;
}

// A row that has no part has an infinite pivot and nothing below it.
bool SparseFactor::factorise(const std::vector<double>& values, double least,
                             const std::vector<char>& wanted, std::vector<char>& left_out) {
  std::fill(mark_.begin(), mark_.end(), -1);
  std::fill(filled_.begin(), filled_.end(), 0);
  y_.assign(permutation_.size(), 0.0);
  left_out.assign(wanted.size(), 0);
  bool all = true;
  for (int k = 0; k < static_cast<int>(permutation_.size()); ++k) {
    const int own = permutation_[k];
    D_[k] = std::numeric_limits<double>::infinity();
    if (!wanted[own]) continue;
    const double diagonal = scatter(values, k), pivot = eliminate(k, diagonal);
    if (pivot > least * diagonal) {
      D_[k] = pivot;
      continue;
    }
    left_out[own] = 1;
    all = false;
  }
  return all;
}

void SparseFactor::solve(const VectorXd& right, VectorXd& x) {
  const int n = static_cast<int>(permutation_.size());
  for (int k = 0; k < n; ++k) y_[k] = right[permutation_[k]];
  for (int k = 0; k < n; ++k)
    for (int e = column_start_[k]; e < column_start_[k] + filled_[k]; ++e)
      y_[L_rows_[e]] -= L_[e] * y_[k];
  for (int k = 0; k < n; ++k) y_[k] /= D_[k];
  for (int k = n; k-- > 0;)
    for (int e = column_start_[k]; e < column_start_[k] + filled_[k]; ++e)
      y_[k] -= L_[e] * y_[L_rows_[e]];
  x.resize(n);
  for (int k = 0; k < n; ++k) x[permutation_[k]] = y_[k];
}

}  // namespace pequod
