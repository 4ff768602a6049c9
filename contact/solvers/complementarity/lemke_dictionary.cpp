#include "contact/solvers/complementarity/lemke_dictionary.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pequod {

void LemkeDictionary::reset(const MatrixXd& M, const VectorXd& q, double lambda, double zero) {
  n_ = q.size();
  T_.resize(n_, n_ + 2);
  T_.leftCols(n_) = M;
  T_.leftCols(n_).diagonal().array() += lambda;
  T_.col(n_).setOnes();
  T_.col(n_ + 1) = q;
  const double size = n_ > 0 ? M.cwiseAbs().maxCoeff() : 0.0;
  pivot_zero_ = zero * (size > 0 ? size : 1.0);
  // Rows that tie exactly differ by rounding after a few exchanges.
  tie_ = zero * (n_ > 0 ? q.cwiseAbs().maxCoeff() : 0.0);
  basic_.resize(n_);
  nonbasic_.resize(n_ + 1);
  where_.resize(2 * n_ + 1);
  renamed_.assign(n_, 0);
  std::iota(basic_.begin(), basic_.end(), 0);
  std::iota(nonbasic_.begin(), nonbasic_.end(), static_cast<int>(n_));
  for (int i = 0; i < n_; ++i) where_[i] = i;
  for (int i = 0; i <= n_; ++i) where_[n_ + i] = -1 - i;
  entering_ = -1;
  pivots_ = 0;
}

void LemkeDictionary::warm(const VectorXd& start) {
  // A pivot this small would spoil the dictionary for all that follows.
  const double safe = 1e-6 * (n_ > 0 ? T_.leftCols(n_).cwiseAbs().maxCoeff() : 0.0);
  while (true) {
    Index best = -1;
    for (Index i = 0; i < n_; ++i) {
      if (!(start[i] > 0) || renamed_[i] != 0) continue;
      if (best < 0 || std::abs(T_(i, i)) > std::abs(T_(best, best))) best = i;
    }
    if (best < 0 || std::abs(T_(best, best)) <= safe) break;
    eliminate(best, best);
    renamed_[best] = 1;
    ++pivots_;
  }
  T_.col(n_).setOnes();
}

LemkeDictionary::Outcome LemkeDictionary::start() {
  if (n_ == 0 || T_.col(n_ + 1).minCoeff() >= 0) return Outcome::solved;
  // z₀ rises until the last row is ≥ 0: the one of least q, not the first that vanishes.
  Index row = 0;
  for (Index i = 1; i < n_; ++i)
    if (before(i, 1.0, row, 1.0)) row = i;
  const int left = basic_[row];
  exchange(row, n_);
  entering_ = left + static_cast<int>(n_);
  return Outcome::pivoted;
}

LemkeDictionary::Outcome LemkeDictionary::pivot() {
  const int n = static_cast<int>(n_);
  const int column = -1 - where_[entering_];
  const int row = leaving_row(column);
  if (row < 0) return Outcome::ray;
  const int left = basic_[row];
  exchange(row, column);
  if (left == 2 * n) return Outcome::solved;
  entering_ = left < n ? left + n : left - n;
  return Outcome::pivoted;
}

int LemkeDictionary::leaving_row(int column) const {
  Index first = -1;
  for (Index i = 0; i < n_; ++i) {
    const double slope = -T_(i, column);
    if (slope <= pivot_zero_) continue;
    if (first < 0 || before(i, slope, first, -T_(first, column))) first = i;
  }
  if (first < 0) return -1;
  // z₀ leaves if it can: that ends the method.
  const int row_of_z0 = where_[2 * n_];
  const double slope = row_of_z0 < 0 ? 0.0 : -T_(row_of_z0, column);
  if (slope > pivot_zero_ &&
      T_(row_of_z0, n_ + 1) / slope <= T_(first, n_ + 1) / -T_(first, column) + tie_)
    return row_of_z0;
  return static_cast<int>(first);
}

/// True if row i over by_i comes lexicographically before row k over by_k.
bool LemkeDictionary::before(Index i, double by_i, Index k, double by_k) const {
  const double difference = T_(i, n_ + 1) / by_i - T_(k, n_ + 1) / by_k;
  if (std::abs(difference) * std::max(by_i, by_k) > tie_) return difference < 0;
  for (Index power = 0; power < n_; ++power) {
    const double a = epsilon_coefficient(i, power) / by_i;
    const double b = epsilon_coefficient(k, power) / by_k;
    if (std::abs(a - b) > 1e-12 * std::max(std::abs(a), std::abs(b))) return a < b;
  }
  return false;
}

double LemkeDictionary::epsilon_coefficient(Index row, Index power) const {
  const int where = where_[power];
  if (where >= 0) return where == row ? 1.0 : 0.0;
  return -T_(row, -1 - where);
}

void LemkeDictionary::eliminate(Index row, Index column) {
  const double inverse = 1.0 / T_(row, column);
  T_.row(row) *= -inverse;
  T_(row, column) = inverse;
  for (Index i = 0; i < n_; ++i) {
    const double factor = T_(i, column);
    if (i == row || factor == 0.0) continue;
    T_(i, column) = 0.0;
    T_.row(i) += factor * T_.row(row);
  }
  // Every entry now carries rounding of the largest one.
  const double rounding = 1e-15 * T_.leftCols(n_ + 1).cwiseAbs().maxCoeff();
  pivot_zero_ = std::max(pivot_zero_, rounding);
}

void LemkeDictionary::exchange(Index row, Index column) {
  eliminate(row, column);
  std::swap(basic_[row], nonbasic_[column]);
  where_[basic_[row]] = static_cast<int>(row);
  where_[nonbasic_[column]] = -1 - static_cast<int>(column);
  ++pivots_;
}

int LemkeDictionary::z_number(Index i) const {
  return static_cast<int>(renamed_[i] != 0 ? i : n_ + i);
}

void LemkeDictionary::write_z(VectorXd& z) const {
  z.setZero(n_);
  for (Index i = 0; i < n_; ++i) {
    const int row = where_[z_number(i)];
    if (row >= 0) z[i] = std::max(0.0, T_(row, n_ + 1));
  }
}

void LemkeDictionary::write_ray(VectorXd& z) const {
  z.setZero(n_);
  const int column = -1 - where_[entering_];
  for (Index i = 0; i < n_; ++i) {
    const int row = where_[z_number(i)];
    if (row >= 0) z[i] = std::max(0.0, T_(row, column));
    if (z_number(i) == entering_) z[i] = 1.0;
  }
}

}  // namespace pequod
