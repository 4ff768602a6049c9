#include "contact/solvers/linear/active_set_factor.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "contact/solvers/linear/small_vector_operations.h"

namespace pequod {

void ActiveSetFactor::reset(Index m, Index n, Index most) {
  m_ = m;
  grow(Q_, most * most);
  grow(R_, most * most);
  grow(z_, most);
  grow(d_, most);
  masks_.reset(m, m + 1);
  rows_.clear();
  rows_.reserve(most);
  contained_.assign(n, 0);
}

double ActiveSetFactor::split(const Row& g) {
  assert(g.size() == m_);
  std::copy_n(g.data(), m_, z_.data());
  std::fill_n(d_.data(), size(), 0.0);
  if (masks_.used()) masks_.find(z_.data(), 0.0, masks_.of(m_));
  // Once is not enough when g is nearly in the span, twice is (Daniel et al. 1976).
  for (int pass = 0; pass < 2; ++pass) take_off_basis();
  // m independent rows span everything: what is left is rounding.
  z_norm_ = size() == m_ ? 0.0 : std::sqrt(dot(z_.data(), z_.data(), m_));
  return z_norm_;
}

// One pass of Gram–Schmidt over z.
void ActiveSetFactor::take_off_basis() {
  double* const z = z_.data();
  if (!masks_.used()) {
    for (Index j = 0; j < size(); ++j) {
      const double h = dot(q(j), z, m_);
      add_scaled(-h, q(j), z, m_);
      d_[j] += h;
    }
    return;
  }
  masks_.take_off(Q_.data(), m_, size(), std::sqrt(dot(z, z, m_)), z, masks_.of(m_), d_.data());
}

void ActiveSetFactor::append(int row) {
  assert(size() < m_ && z_norm_ > 0 && !contains(row));
  const Index j = size();
  for (Index i = 0; i < m_; ++i) q(j)[i] = z_[i] / z_norm_;
  masks_.copy(masks_.of(m_), masks_.of(j));
  std::copy_n(d_.data(), j, r(j));
  r(j)[j] = z_norm_;
  rows_.push_back(row);
  contained_[row] = 1;
}

void ActiveSetFactor::remove(Index position) {
  contained_[rows_[position]] = 0;
  rows_.erase(rows_.begin() + position);
  // Column j takes the place of its left neighbour and brings one entry below the diagonal, which
  // a rotation of rows j, j + 1 of R (columns of Q) moves onto it.
  for (Index j = position; j < size(); ++j) {
    std::copy_n(r(j + 1), j + 2, r(j));
    const double a = r(j)[j], b = r(j)[j + 1];
    const double length = std::hypot(a, b), cosine = a / length, sine = b / length;
    r(j)[j] = length;
    for (Index k = j + 2; k <= size(); ++k) rotate(cosine, sine, r(k)[j], r(k)[j + 1]);
    for (Index i = 0; i < m_; ++i) rotate(cosine, sine, q(j)[i], q(j + 1)[i]);
    masks_.unite(masks_.of(j + 1), masks_.of(j));
    masks_.copy(masks_.of(j), masks_.of(j + 1));
  }
}

void ActiveSetFactor::solve_upper(double* x) const {
  for (Index j = size() - 1; j >= 0; --j) {
    x[j] /= r(j)[j];
    for (Index i = 0; i < j; ++i) x[i] -= x[j] * r(j)[i];
  }
}

void ActiveSetFactor::solve_upper_transposed(double* x) const {
  for (Index j = 0; j < size(); ++j) x[j] = (x[j] - dot(r(j), x, j)) / r(j)[j];
}

void ActiveSetFactor::apply_Q(const double* a, double* y) const {
  for (Index j = 0; j < size(); ++j)
    if (masks_.used())
      masks_.add_column(a[j], q(j), masks_.of(j), y);
    else
      add_scaled(a[j], q(j), y, m_);
}

void ActiveSetFactor::subtract_Q_transposed(const double* y, double* a) const {
  for (Index j = 0; j < size(); ++j)
    a[j] -=
        masks_.used() ? masks_.dot_common(q(j), masks_.of(j), y, masks_.of(j)) : dot(q(j), y, m_);
}

}  // namespace pequod
