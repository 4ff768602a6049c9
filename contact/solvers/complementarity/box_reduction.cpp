#include "contact/solvers/complementarity/box_reduction.h"

#include <numeric>
#include <utility>

#include "contact/solvers/complementarity/lcp_bounds.h"

namespace pequod {

void BoxReduction::reset(const BoxProblem& problem, double zero) {
  n_ = problem.q.size();
  sort_rows(problem);
  fill(problem);
  eliminate_free(zero);
  fill_lcp();
}

void BoxReduction::sort_rows(const BoxProblem& problem) {
  order_.clear();
  both_.clear();
  base_.setZero(n_);
  sign_.setOnes(n_);
  width_.setZero(n_);
  for (int i = 0; i < n_; ++i)
    if (!bounds(problem, i).below() && !bounds(problem, i).above()) order_.push_back(i);
  free_ = static_cast<Index>(order_.size());
  for (int i = 0; i < n_; ++i) {
    const Bounds bound = bounds(problem, i);
    if (!bound.below() && !bound.above()) continue;
    const auto place = static_cast<Index>(order_.size());
    order_.push_back(i);
    base_[place] = bound.below() ? bound.lower : bound.upper;
    if (!bound.below()) sign_[place] = -1;
    if (!bound.below() || !bound.above()) continue;
    width_[place] = bound.upper - bound.lower;
    both_.push_back(static_cast<int>(place));
  }
}

/// K [x; s] + constant is w with the signs turned.
void BoxReduction::fill(const BoxProblem& problem) {
  K_.resize(n_, n_ + 1);
  for (Index j = 0; j < n_; ++j)
    for (Index i = 0; i < n_; ++i) K_(i, j) = sign_[i] * problem.M(order_[i], order_[j]) * sign_[j];
  for (Index i = 0; i < n_; ++i) {
    double constant = problem.q[order_[i]];
    for (Index j = 0; j < n_; ++j)
      if (base_[j] != 0) constant += problem.M(order_[i], order_[j]) * base_[j];
    K_(i, n_) = sign_[i] * constant;
  }
}

void BoxReduction::exchange_rows(Index a, Index b) {
  if (a == b) return;
  K_.row(a).swap(K_.row(b));
  std::swap(rows_[a], rows_[b]);
}

void BoxReduction::exchange_columns(Index a, Index b) {
  if (a == b) return;
  K_.col(a).swap(K_.col(b));
  std::swap(columns_[a], columns_[b]);
}

void BoxReduction::eliminate_free(double zero) {
  rows_.resize(n_);
  columns_.resize(n_);
  std::iota(rows_.begin(), rows_.end(), 0);
  std::iota(columns_.begin(), columns_.end(), 0);
  const double least = free_ > 0 ? zero * K_.topLeftCorner(free_, free_).cwiseAbs().maxCoeff() : 0;
  for (rank_ = 0; rank_ < free_; ++rank_) {
    const Index k = rank_, left = free_ - k;
    Index row = 0, column = 0;
    const double pivot = K_.block(k, k, left, left).cwiseAbs().maxCoeff(&row, &column);
    if (!(pivot > least)) break;
    exchange_rows(k, k + row);
    exchange_columns(k, k + column);
    for (Index i = k + 1; i < n_; ++i) K_(i, k) /= K_(k, k);
    for (Index j = k + 1; j <= n_; ++j)
      if (K_(k, j) != 0) K_.col(j).tail(n_ - k - 1) -= K_(k, j) * K_.col(k).tail(n_ - k - 1);
  }
}

/// Unknowns: s, then β, then x⁺ and x⁻ of the free ones that are left.
void BoxReduction::fill_lcp() {
  const Index s = n_ - free_, twice = static_cast<Index>(both_.size()), left = free_ - rank_;
  const Index at_x = s + twice, n = at_x + 2 * left;
  lcp_.M.setZero(n, n);
  lcp_.q.setZero(n);
  lcp_.M.topLeftCorner(s, s) = K_.block(free_, free_, s, s);
  lcp_.q.head(s) = K_.col(n_).tail(s);
  for (Index b = 0; b < twice; ++b) {
    const Index place = both_[b] - free_;
    lcp_.M(place, s + b) = 1;
    lcp_.M(s + b, place) = -1;
    lcp_.q[s + b] = width_[both_[b]];
  }
  if (left == 0) return;
  // What is left of the block itself is rounding.
  lcp_.M.block(0, at_x, s, left) = K_.block(free_, rank_, s, left);
  lcp_.M.block(0, at_x + left, s, left) = -K_.block(free_, rank_, s, left);
  lcp_.M.block(at_x, 0, left, s) = K_.block(rank_, free_, left, s);
  lcp_.M.block(at_x + left, 0, left, s) = -K_.block(rank_, free_, left, s);
  lcp_.q.segment(at_x, left) = K_.col(n_).segment(rank_, left);
  lcp_.q.tail(left) = -K_.col(n_).segment(rank_, left);
}

void BoxReduction::write_start(const VectorXd& z, VectorXd& lcp_z) const {
  const Index s = n_ - free_, left = free_ - rank_;
  lcp_z.setZero(lcp_.q.size());
  for (Index i = 0; i < s; ++i) {
    const Index place = free_ + i;
    lcp_z[i] = std::max(0.0, sign_[place] * (z[order_[place]] - base_[place]));
  }
  for (Index k = 0; k < left; ++k) {
    const double x = z[order_[columns_[rank_ + k]]];
    lcp_z[lcp_.q.size() - 2 * left + k] = std::max(0.0, x);
    lcp_z[lcp_.q.size() - left + k] = std::max(0.0, -x);
  }
  for (std::size_t b = 0; b < both_.size(); ++b)
    if (z[order_[both_[b]]] >= base_[both_[b]] + width_[both_[b]])
      lcp_z[s + static_cast<Index>(b)] = width_[both_[b]];
}

void BoxReduction::write_z(const VectorXd& lcp_z, VectorXd& z) {
  const Index s = n_ - free_, left = free_ - rank_;
  at_.resize(n_);
  at_.tail(s) = lcp_z.head(s);
  at_.segment(rank_, left) = lcp_z.segment(lcp_z.size() - 2 * left, left) - lcp_z.tail(left);
  for (Index k = rank_ - 1; k >= 0; --k) {
    double sum = K_(k, n_);
    for (Index j = k + 1; j < n_; ++j) sum += K_(k, j) * at_[j];
    at_[k] = -sum / K_(k, k);
  }
  z.resize(n_);
  for (Index k = 0; k < n_; ++k) {
    const int place = columns_[k];
    double value = base_[place] + sign_[place] * at_[k];
    if (width_[place] > 0) value = std::min(value, base_[place] + width_[place]);
    z[order_[place]] = value;
  }
}

void BoxReduction::write_certificate(const VectorXd& lcp_p, VectorXd& p) const {
  const Index s = n_ - free_, left = free_ - rank_;
  VectorXd weight = VectorXd::Zero(n_);
  weight.tail(s) = lcp_p.head(s);
  weight.segment(rank_, left) = lcp_p.segment(lcp_p.size() - 2 * left, left) - lcp_p.tail(left);
  // The weights of the eliminated rows make their columns vanish.
  for (Index k = rank_ - 1; k >= 0; --k)
    weight[k] = -K_.col(k).tail(n_ - k - 1).dot(weight.tail(n_ - k - 1));
  p.resize(n_);
  for (Index k = 0; k < n_; ++k) p[order_[rows_[k]]] = sign_[rows_[k]] * weight[k];
  // A row with two bounds says nothing of the sign of w; its weight is zero up to rounding.
  for (const int place : both_) p[order_[place]] = 0;
}

}  // namespace pequod
