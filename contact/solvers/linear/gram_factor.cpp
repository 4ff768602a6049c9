#include "contact/solvers/linear/gram_factor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace pequod {

// Two columns are neighbours if they have an entry in the same row, and each is its own.
void GramFactor::find_structure(const SparseColumns& G) {
  starts_ = G.starts();
  rows_ = G.row_of();
  const int n = G.columns();
  row_start_.assign(static_cast<std::size_t>(G.rows()) + 1, 0);
  for (const int row : rows_) ++row_start_[row + 1];
  std::partial_sum(row_start_.begin(), row_start_.end(), row_start_.begin());
  row_list_.resize(rows_.size());
  mark_.assign(row_start_.begin(), row_start_.end() - 1);
  for (int j = 0; j < n; ++j)
    for (int e = starts_[j]; e < starts_[j + 1]; ++e) row_list_[mark_[rows_[e]]++] = j;
  gram_start_.assign(1, 0);
  neighbour_.clear();
  mark_.assign(n, -1);
  for (int j = 0; j < n; ++j) {
    mark_[j] = j;
    neighbour_.push_back(j);
    for (int e = starts_[j]; e < starts_[j + 1]; ++e) {
      const int row = rows_[e];
      for (int l = row_start_[row]; l < row_start_[row + 1]; ++l) {
        const int other = row_list_[l];
        if (mark_[other] == j) continue;
        mark_[other] = j;
        neighbour_.push_back(other);
      }
    }
    std::sort(neighbour_.begin() + gram_start_.back(), neighbour_.end());
    gram_start_.push_back(static_cast<int>(neighbour_.size()));
  }
  factor_.analyse(gram_start_, neighbour_);
}

void GramFactor::set(const SparseColumns& G) {
  if (G.starts() != starts_ || G.row_of() != rows_) find_structure(G);
  const int n = G.columns();
  gram_.resize(neighbour_.size());
  spread_.assign(G.rows(), 0.0);
  length_.resize(n);
  for (int j = 0; j < n; ++j) {
    G.add(j, 1.0, spread_.data());
    for (int e = gram_start_[j]; e < gram_start_[j + 1]; ++e)
      gram_[e] = G.dot(neighbour_[e], spread_.data());
    for (int e = starts_[j]; e < starts_[j + 1]; ++e) spread_[rows_[e]] = 0.0;
    length_[j] = G.norm(j);
  }
}

bool GramFactor::factorise(const std::vector<char>& wanted) {
  wanted_ = wanted;
  const bool independent =
      factor_.factorise(gram_, kIndependent * kIndependent, wanted_, dependent_);
  for (std::size_t j = 0; j < wanted_.size(); ++j)
    if (dependent_[j]) wanted_[j] = 0;
  return independent;
}

// One step towards the equalities. @return what was left of them before, |gⱼᵀy − eⱼ|/|gⱼ|
double GramFactor::correct(const SparseColumns& G, const VectorXd& e, VectorXd& y, VectorXd& f) {
  double worst = 0.0;
  for (int j = 0; j < G.columns(); ++j) {
    left_[j] = wanted_[j] ? e[j] - G.dot(j, y.data()) : 0.0;
    if (wanted_[j]) worst = std::max(worst, std::abs(left_[j]) / length_[j]);
  }
  factor_.solve(left_, step_);
  for (int j = 0; j < G.columns(); ++j) {
    if (!wanted_[j]) continue;
    f[j] += step_[j];
    G.add(j, step_[j], y.data());
  }
  return worst;
}

double GramFactor::solve(const SparseColumns& G, const VectorXd& e, VectorXd& y, VectorXd& f) {
  constexpr int kMostSteps = 8;
  constexpr double kRounding = 4e-16;
  f.setZero(G.columns());
  left_.resize(G.columns());
  double size = y.norm(), before = std::numeric_limits<double>::infinity(), worst = 0.0;
  // A correction leaves 1e-13/kIndependent² of the error at most; where that is all gone, the next
  // does no good. The first look that finds rounding has made it smaller still.
  for (int step = 0; step < kMostSteps; ++step) {
    worst = correct(G, e, y, f);
    size = std::max(size, y.norm());
    if (worst <= kRounding * size || worst > 0.5 * before) break;
    before = worst;
  }
  return size > 0.0 ? worst / size : 0.0;
}

}  // namespace pequod
