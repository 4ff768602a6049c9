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

void HeldRows::reset(Eigen::Index m, double rank) {
  tolerance_ = rank;
  if (Q_.rows() < m || Q_.cols() < m) Q_.resize(m, m), R_.resize(m, m);
  m_ = m;
  rank_ = 0;
  masks_.reset(m, m);
  accepted_.clear();
}

// One pass of Gram–Schmidt.
void HeldRows::take_off_basis(double* q, double* r, BlockMasks::Word* mask_q) const {
  if (masks_.used()) return take_off_blocks(q, r, mask_q);
  if (rank_ == 0) return;
  double d = dot(Q_.col(0).data(), q, m_);
  for (Eigen::Index k = 0; k + 1 < rank_; ++k) {
    r[k] += d;
    d = add_scaled_and_dot(-d, Q_.col(k).data(), Q_.col(k + 1).data(), q, m_);
  }
  r[rank_ - 1] += d;
  add_scaled(-d, Q_.col(rank_ - 1).data(), q, m_);
}

// The same without the blocks that are zero.
void HeldRows::take_off_blocks(double* q, double* r, BlockMasks::Word* mask_q) const {
  for (Eigen::Index k = 0; k < rank_; ++k) {
    const double* basis = Q_.col(k).data();
    const double d = masks_.dot_common(basis, masks_.of(k), q, mask_q);
    if (d == 0.0) continue;
    r[k] += d;
    masks_.add_column(-d, basis, masks_.of(k), q);
    masks_.unite(masks_.of(k), mask_q);
  }
}

bool HeldRows::add(const Eigen::Ref<const Eigen::VectorXd>& g, double size) {
  const double norm = g.norm(), length = std::max(norm, size);
  bool independent = false;
  if (rank_ < m_ && length > 0.0) {
    double* q = Q_.col(rank_).data();
    double* r = R_.col(rank_).data();
    std::copy_n(g.data(), m_, q);
    std::fill_n(r, rank_ + 1, 0.0);
    BlockMasks::Word* mask_q = masks_.of(rank_);
    if (masks_.used()) masks_.find(q, 0.0, mask_q);
    double remainder = norm;
    // Gram–Schmidt, again where cancellation lost digits: twice is as orthogonal as Householder
    // (Daniel, Gragg, Kaufman & Stewart 1976; Giraud, Langou & Rozložník 2005).
    for (int pass = 0; pass < 2; ++pass) {
      const double before = remainder;
      take_off_basis(q, r, mask_q);
      if (masks_.used()) masks_.drop(q, BlockMasks::kRounding * before, mask_q);
      remainder = std::sqrt(dot(q, q, m_));
      if (remainder > kKept * before) break;
    }
    if (remainder > tolerance_ * length) {
      for (Eigen::Index i = 0; i < m_; ++i) q[i] /= remainder;
      r[rank_] = remainder;
      ++rank_;
      independent = true;
    }
  }
  accepted_.push_back(independent ? 1 : 0);
  return independent;
}

bool HeldRows::take_leading(const HeldRows& from, Eigen::Index columns) {
  if (from.masks_.used() || columns > from.rank_) return false;
  reset(from.m_, from.tolerance_);
  Q_.topLeftCorner(m_, columns) = from.Q_.topLeftCorner(m_, columns);
  R_.topLeftCorner(columns, columns) = from.R_.topLeftCorner(columns, columns);
  rank_ = columns;
  accepted_.assign(static_cast<std::size_t>(columns), 1);
  return true;
}

// w = R⁻ᵀ e
void HeldRows::substitute(const Eigen::VectorXd& e, double* w) const {
  Eigen::Index k = 0;
  for (std::size_t i = 0; i < accepted_.size(); ++i) {
    if (!accepted_[i]) continue;
    double sum = e[static_cast<Eigen::Index>(i)];
    for (Eigen::Index j = 0; j < k; ++j) sum -= R_(j, k) * w[j];
    w[k] = sum / R_(k, k);
    ++k;
  }
}

// w = R⁻ᵀ e − Qᵀ y
void HeldRows::ask(const Eigen::VectorXd& e, const Eigen::VectorXd& y, double* w) const {
  substitute(e, w);
  for (Eigen::Index j = 0; j < rank_; ++j) w[j] -= Q_.col(j).head(m_).dot(y);
}

void HeldRows::demand(const Eigen::VectorXd& e, const Eigen::VectorXd& y,
                      Eigen::VectorXd& w) const {
  w.resize(rank_);
  ask(e, y, w.data());
}

void HeldRows::measure(const Eigen::Ref<const Eigen::VectorXd>& x,
                       Eigen::Ref<Eigen::VectorXd> out) const {
  if (masks_.used()) {
    thread_local std::vector<BlockMasks::Word> mask_x;  // workspace only
    mask_x.resize(std::max(mask_x.size(), masks_.words()));
    masks_.find(x.data(), 0.0, mask_x.data());
    for (Eigen::Index j = 0; j < rank_; ++j)
      out[j] = masks_.dot_common(Q_.col(j).data(), masks_.of(j), x.data(), mask_x.data());
    return;
  }
  for (Eigen::Index j = 0; j < rank_; ++j) out[j] = Q_.col(j).head(m_).dot(x);
}

void HeldRows::solve(const Eigen::VectorXd& e, Eigen::VectorXd& y, Eigen::VectorXd& f) const {
  thread_local std::vector<double> storage;  // workspace only
  const Eigen::Index n = static_cast<Eigen::Index>(accepted_.size());
  f.setZero(n);
  storage.resize(std::max(storage.size(), static_cast<std::size_t>(rank_)));
  double* const work = storage.data();
  const auto add_basis = [&] {
    for (Eigen::Index j = 0; j < rank_; ++j) y += work[j] * Q_.col(j).head(m_);
  };
  // y += Q w and f = R⁻¹ w.
  ask(e, y, work);
  if (!holds_all()) add_basis();
  for (Eigen::Index j = rank_; j-- > 0;) {
    for (Eigen::Index l = j + 1; l < rank_; ++l) work[j] -= R_(j, l) * work[l];
    work[j] /= R_(j, j);
  }
  Eigen::Index k = 0;
  for (Eigen::Index i = 0; i < n; ++i)
    if (accepted_[static_cast<std::size_t>(i)]) f[i] = work[k++];
  if (!holds_all()) return;
  // Nothing of y is left: y⁺ = Q R⁻ᵀ e.
  substitute(e, work);
  y.setZero();
  add_basis();
}

void HeldRows::project(Eigen::VectorXd& y) const {
  if (holds_all()) {
    y.setZero();
    return;
  }
  for (int pass = 0; pass < 2; ++pass)
    for (Eigen::Index j = 0; j < rank_; ++j) {
      const auto q = Q_.col(j).head(m_);
      y -= q.dot(y) * q;
    }
}

void HeldRows::split(Eigen::Ref<Eigen::VectorXd> g, Eigen::Ref<Eigen::VectorXd> part) const {
  part.setZero();
  for (int pass = 0; pass < 2; ++pass)
    for (Eigen::Index j = 0; j < rank_; ++j) {
      const double d = dot(Q_.col(j).data(), g.data(), m_);
      part[j] += d;
      add_scaled(-d, Q_.col(j).data(), g.data(), m_);
    }
}

}  // namespace pequod
