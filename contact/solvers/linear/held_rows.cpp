#include "contact/solvers/linear/held_rows.h"

#include <algorithm>
#include <cmath>

#include "contact/solvers/linear/small_vector_operations.h"

namespace pequod {
namespace {

// Of its length before a pass: a column that keeps this much has lost at most one decimal digit of
// its direction to cancellation, and needs no second one (Rutishauser 1967).
constexpr double kKept = 0.1;

}  // namespace

void HeldRows::reset(Index m, double rank) {
  tolerance_ = rank;
  if (Q_.rows() < m || Q_.cols() < m) Q_.resize(padded(m), m), R_.resize(m, m);
  m_ = m;
  rank_ = 0;
  masks_.reset(m, m);
  accepted_.clear();
}

// One pass of Gram–Schmidt. @return the length of what is left
double HeldRows::take_off_basis(double* q, double* r) const {
  return std::sqrt(basis_kernels(padded(m_)).take_off(columns(), q, r));
}

// The same without the blocks that are zero, or rounding of what was there before.
double HeldRows::take_off_blocks(double before, double* q, double* r,
                                 BlockMasks::Word* mask_q) const {
  masks_.take_off(Q_.data(), Q_.rows(), rank_, before, q, mask_q, r);
  return std::sqrt(dot(q, q, m_));
}

bool HeldRows::add(const Eigen::Ref<const VectorXd>& g, const Compared& with) {
  const double norm = std::sqrt(dot(g.data(), g.data(), m_));
  const double length = std::max(with.times * norm, with.size);
  bool independent = false;
  if (rank_ < m_ && length > 0.0) {
    double* q = Q_.col(rank_).data();
    double* r = R_.col(rank_).data();
    std::fill_n(std::copy_n(g.data(), m_, q), padded(m_) - m_, 0.0);
    std::fill_n(r, rank_ + 1, 0.0);
    BlockMasks::Word* mask_q = masks_.of(rank_);
    if (masks_.used()) masks_.find(q, 0.0, mask_q);
    double remainder = norm;
    // Gram–Schmidt, again where cancellation lost digits: twice is as orthogonal as Householder
    // (Daniel, Gragg, Kaufman & Stewart 1976; Giraud, Langou & Rozložník 2005).
    for (int pass = 0; pass < 2; ++pass) {
      const double before = remainder;
      remainder = masks_.used() ? take_off_blocks(before, q, r, mask_q) : take_off_basis(q, r);
      if (remainder > kKept * before) break;
    }
    if (remainder > tolerance_ * length) {
      for (Index i = 0; i < m_; ++i) q[i] /= remainder;
      r[rank_] = remainder;
      ++rank_;
      independent = true;
    }
  }
  accepted_.push_back(independent ? 1 : 0);
  return independent;
}

bool HeldRows::take_leading(const HeldRows& from, Index columns) {
  if (from.masks_.used() || columns > from.rank_) return false;
  reset(from.m_, from.tolerance_);
  const Index size = padded(m_);
  Q_.topLeftCorner(size, columns) = from.Q_.topLeftCorner(size, columns);
  R_.topLeftCorner(columns, columns) = from.R_.topLeftCorner(columns, columns);
  rank_ = columns;
  accepted_.assign(columns, 1);
  return true;
}

// w = R⁻ᵀ e
void HeldRows::substitute(const VectorXd& e, double* w) const {
  if (e.isZero(0.0)) {  // as of rows that are to stand still, mostly
    std::fill_n(w, rank_, 0.0);
    return;
  }
  Index k = 0;
  for (std::size_t i = 0; i < accepted_.size(); ++i) {
    if (!accepted_[i]) continue;
    double sum = e[i];
    for (Index j = 0; j < k; ++j) sum -= R_(j, k) * w[j];
    w[k] = sum / R_(k, k);
    ++k;
  }
}

// w = R⁻ᵀ e − Qᵀ y. @param y  padded, with as many numbers behind it as there are rows
void HeldRows::ask(const VectorXd& e, double* y, double* w) const {
  substitute(e, w);
  double* const moves = y + padded(m_);
  basis_kernels(padded(m_)).measure(columns(), y, moves);
  for (Index j = 0; j < rank_; ++j) w[j] -= moves[j];
}

void HeldRows::demand(const VectorXd& e, const VectorXd& y, VectorXd& w) const {
  w.resize(rank_);
  ask(e, padded_copy(y.data(), y.size(), rank_), w.data());
}

void HeldRows::measure(const Eigen::Ref<const VectorXd>& x, Eigen::Ref<VectorXd> out) const {
  if (masks_.used()) {
    thread_local std::vector<BlockMasks::Word> mask_x;  // workspace only
    mask_x.resize(std::max(mask_x.size(), masks_.words()));
    masks_.find(x.data(), 0.0, mask_x.data());
    for (Index j = 0; j < rank_; ++j)
      out[j] = masks_.dot_common(Q_.col(j).data(), masks_.of(j), x.data(), mask_x.data());
    return;
  }
  basis_kernels(padded(m_)).measure(columns(), padded_copy(x.data(), x.size()), out.data());
}

void HeldRows::solve(const VectorXd& e, VectorXd& y, VectorXd& f) const {
  const Index n = static_cast<Index>(accepted_.size());
  f.setZero(n);
  if (rank_ == 0) return;
  // y += Q w and f = R⁻¹ w.
  double* const moved = padded_copy(y.data(), y.size(), 2 * rank_);
  double* const work = moved + padded(m_) + rank_;
  ask(e, moved, work);
  if (!holds_all()) basis_kernels(padded(m_)).add(columns(), work, moved);
  for (Index j = rank_; j-- > 0;) {
    work[j] /= R_(j, j);
    add_scaled(-work[j], R_.col(j).data(), work, j);
  }
  Index k = 0;
  for (Index i = 0; i < n; ++i)
    if (accepted_[i]) f[i] = work[k++];
  if (holds_all()) {  // nothing of y is left: y⁺ = Q R⁻ᵀ e
    substitute(e, work);
    std::fill_n(moved, padded(m_), 0.0);
    basis_kernels(padded(m_)).add(columns(), work, moved);
  }
  y = Eigen::Map<const VectorXd>(moved, m_);
}

void HeldRows::project(VectorXd& y) const {
  if (rank_ == 0) return;
  if (holds_all()) {
    y.setZero();
    return;
  }
  double* const left = padded_copy(y.data(), y.size(), rank_);
  double* const taken = left + padded(m_);
  std::fill_n(taken, rank_, 0.0);
  for (int pass = 0; pass < 2; ++pass) basis_kernels(padded(m_)).take_off(columns(), left, taken);
  y = Eigen::Map<const VectorXd>(left, m_);
}

void HeldRows::split(Eigen::Ref<VectorXd> g, Eigen::Ref<VectorXd> part) const {
  part.setZero();
  if (rank_ == 0) return;
  double* const left = padded_copy(g.data(), g.size());
  for (int pass = 0; pass < 2; ++pass)
    basis_kernels(padded(m_)).take_off(columns(), left, part.data());
  g = Eigen::Map<const VectorXd>(left, m_);
}

}  // namespace pequod
