#include "contact/held_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "contact/solvers/small_vector_operations.h"

namespace pequod {
namespace {

constexpr Eigen::Index kBlock = 6;   // coordinates of a free body
constexpr Eigen::Index kDense = 48;  // up to as many, masks cost more than they save
constexpr std::size_t kBits = 64;
// Of a column's length: what orthogonalising leaves where nothing is left.
constexpr double kRounding = 1e-15;

// Calls visit(first, length) for the blocks of both masks.
template <typename Visit>
void for_common_blocks(const std::uint64_t* a, const std::uint64_t* b, std::size_t words,
                       Eigen::Index m, Visit visit) {
  for (std::size_t w = 0; w < words; ++w) {
    for (std::uint64_t bits = a[w] & b[w]; bits != 0; bits &= bits - 1) {
      const auto block = static_cast<Eigen::Index>(w * kBits) + std::countr_zero(bits);
      visit(kBlock * block, std::min(kBlock, m - kBlock * block));
    }
  }
}

}  // namespace

void HeldRows::reset(Eigen::Index m, double rank) {
  tolerance_ = rank;
  if (Q_.rows() < m || Q_.cols() < m) Q_.resize(m, m), R_.resize(m, m);
  m_ = m;
  rank_ = 0;
  const auto blocks = static_cast<std::size_t>((m + kBlock - 1) / kBlock);
  words_ = m > kDense ? (blocks + kBits - 1) / kBits : 0;
  const std::size_t size = words_ * static_cast<std::size_t>(m);
  if (masks_.size() < size) masks_.resize(size);
  accepted_.clear();
}

void HeldRows::find_mask(const double* x, double zero, std::uint64_t* mask) const {
  std::fill_n(mask, words_, 0);
  for (Eigen::Index i = 0; i < m_; ++i) {
    const auto block = static_cast<std::size_t>(i / kBlock);
    if (std::abs(x[i]) > zero) mask[block / kBits] |= std::uint64_t{1} << (block % kBits);
  }
}

double HeldRows::dot_common(Eigen::Index k, const double* x, const std::uint64_t* mask_x) const {
  const double* basis = Q_.col(k).data();
  double sum = 0.0;
  for_common_blocks(mask(k), mask_x, words_, m_, [&](Eigen::Index first, Eigen::Index length) {
    sum += dot(basis + first, x + first, length);
  });
  return sum;
}

// x ← x − d Q_k
void HeldRows::subtract(Eigen::Index k, double d, double* x, std::uint64_t* mask_x) const {
  const double* basis = Q_.col(k).data();
  for_common_blocks(mask(k), mask(k), words_, m_, [&](Eigen::Index first, Eigen::Index length) {
    add_scaled(-d, basis + first, x + first, length);
  });
  for (std::size_t w = 0; w < words_; ++w) mask_x[w] |= mask(k)[w];
}

// One pass of Gram–Schmidt.
void HeldRows::take_off_basis(double* q, double* r, std::uint64_t* mask_q) const {
  for (Eigen::Index k = 0; k < rank_; ++k) {
    if (!sparse()) {
      const double* basis = Q_.col(k).data();
      const double d = dot(basis, q, m_);
      r[k] += d;
      add_scaled(-d, basis, q, m_);
      continue;
    }
    const double d = dot_common(k, q, mask_q);
    if (d == 0.0) continue;
    r[k] += d;
    subtract(k, d, q, mask_q);
  }
}

// Zeroes the blocks of q that are no more than rounding.
void HeldRows::drop_rounding(double* q, double zero, std::uint64_t* mask_q) const {
  find_mask(q, zero, mask_q);
  for (Eigen::Index i = 0; i < m_; ++i) {
    const auto block = static_cast<std::size_t>(i / kBlock);
    if ((mask_q[block / kBits] >> (block % kBits) & 1) == 0) q[i] = 0.0;
  }
}

bool HeldRows::add(const Eigen::Ref<const VectorXd>& g, double size) {
  const double length = std::max(g.norm(), size);
  bool independent = false;
  if (rank_ < m_ && length > 0.0) {
    double* q = Q_.col(rank_).data();
    double* r = R_.col(rank_).data();
    std::copy_n(g.data(), m_, q);
    std::fill_n(r, rank_ + 1, 0.0);
    std::uint64_t* mask_q = masks_.data() + static_cast<std::size_t>(rank_) * words_;
    if (sparse()) find_mask(q, 0.0, mask_q);
    double remainder = length;
    // Gram–Schmidt, again where cancellation lost digits: twice is as orthogonal as Householder
    // (Daniel, Gragg, Kaufman & Stewart 1976; Giraud, Langou & Rozložník 2005).
    for (int pass = 0; pass < 2; ++pass) {
      const double before = remainder;
      take_off_basis(q, r, mask_q);
      if (sparse()) drop_rounding(q, kRounding * before, mask_q);
      remainder = std::sqrt(dot(q, q, m_));
      if (remainder > 0.7 * before) break;
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

// w = R⁻ᵀ e − Qᵀ y
void HeldRows::ask(const VectorXd& e, const VectorXd& y, double* w) const {
  Eigen::Index k = 0;
  for (std::size_t i = 0; i < accepted_.size(); ++i) {
    if (!accepted_[i]) continue;
    double sum = e[static_cast<Eigen::Index>(i)];
    for (Eigen::Index j = 0; j < k; ++j) sum -= R_(j, k) * w[j];
    w[k] = sum / R_(k, k);
    ++k;
  }
  for (Eigen::Index j = 0; j < rank_; ++j) w[j] -= Q_.col(j).head(m_).dot(y);
}

void HeldRows::demand(const VectorXd& e, const VectorXd& y, VectorXd& w) const {
  w.resize(rank_);
  ask(e, y, w.data());
}

void HeldRows::measure(const Eigen::Ref<const VectorXd>& x, Eigen::Ref<VectorXd> out) const {
  if (sparse()) {
    thread_local std::vector<std::uint64_t> mask_x;  // workspace only
    mask_x.resize(std::max(mask_x.size(), words_));
    find_mask(x.data(), 0.0, mask_x.data());
    for (Eigen::Index j = 0; j < rank_; ++j) out[j] = dot_common(j, x.data(), mask_x.data());
    return;
  }
  for (Eigen::Index j = 0; j < rank_; ++j) out[j] = Q_.col(j).head(m_).dot(x);
}

void HeldRows::solve(const VectorXd& e, VectorXd& y, VectorXd& f) const {
  thread_local std::vector<double> storage;  // workspace only
  const Eigen::Index n = static_cast<Eigen::Index>(accepted_.size());
  f.setZero(n);
  storage.resize(std::max(storage.size(), static_cast<std::size_t>(rank_)));
  double* const work = storage.data();
  // y += Q w and f = R⁻¹ w.
  ask(e, y, work);
  for (Eigen::Index j = 0; j < rank_; ++j) y += work[j] * Q_.col(j).head(m_);
  for (Eigen::Index j = rank_; j-- > 0;) {
    for (Eigen::Index l = j + 1; l < rank_; ++l) work[j] -= R_(j, l) * work[l];
    work[j] /= R_(j, j);
  }
  Eigen::Index k = 0;
  for (Eigen::Index i = 0; i < n; ++i)
    if (accepted_[static_cast<std::size_t>(i)]) f[i] = work[k++];
}

void HeldRows::project(VectorXd& y) const {
  for (int pass = 0; pass < 2; ++pass)
    for (Eigen::Index j = 0; j < rank_; ++j) {
      const auto q = Q_.col(j).head(m_);
      y -= q.dot(y) * q;
    }
}

void HeldRows::split(Eigen::Ref<VectorXd> g, Eigen::Ref<VectorXd> part) const {
  part.setZero();
  for (int pass = 0; pass < 2; ++pass)
    for (Eigen::Index j = 0; j < rank_; ++j) {
      const double d = dot(Q_.col(j).data(), g.data(), m_);
      part[j] += d;
      add_scaled(-d, Q_.col(j).data(), g.data(), m_);
    }
}

}  // namespace pequod
