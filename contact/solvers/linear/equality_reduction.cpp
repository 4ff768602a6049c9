#include "contact/solvers/linear/equality_reduction.h"

#include <algorithm>
#include <cmath>

#include "contact/solvers/linear/small_vector_operations.h"

namespace pequod {

void EqualityReduction::reflect(Index i, double* y) const {
  const double* v = V_.data() + i * m_;
  add_scaled(-dot(v + i, y + i, m_ - i), v + i, y + i, m_ - i);
}

void EqualityReduction::reset(Index m) {
  m_ = m;
  accepted_.clear();
}

void EqualityReduction::factor(const Eigen::Ref<const MatrixXd>& E,
                               const Eigen::Ref<const VectorXd>& e, double rank_tolerance) {
  grow(V_, m_ * m_);
  grow(R_, m_ * m_);
  for (VectorXd* x : {&norm_, &fixed_, &column_}) grow(*x, m_);
  accepted_.reserve(m_);
  for (Index j = 0; j < E.cols() && rank() < m_; ++j) {
    const double norm = E.col(j).norm();
    if (norm == 0.0) continue;
    for (Index i = 0; i < m_; ++i) column_[i] = E(i, j) / norm;
    to_split(column_.data());
    const Index r = rank();
    double* tail = column_.data() + r;
    const double remainder = std::sqrt(dot(tail, tail, m_ - r));
    if (remainder < rank_tolerance) continue;

    // v = √2 u with u the unit vector along tail ± |tail| e₁; the sign avoids cancellation.
    const double pivot = tail[0] > 0 ? -remainder : remainder;
    const double scale = 1.0 / std::sqrt(remainder * (remainder + std::abs(tail[0])));
    double* v = V_.data() + r * m_;
    std::fill_n(v, r, 0.0);
    for (Index i = r; i < m_; ++i) v[i] = scale * (tail[i - r] - (i == r ? pivot : 0.0));
    double* column = R_.data() + r * m_;
    std::copy_n(column_.data(), r, column);
    column[r] = pivot;
    norm_[r] = norm;
    // Forward substitution in Rᵀ fixed = e.
    fixed_[r] = (e[j] / norm - dot(column, fixed_.data(), r)) / pivot;
    accepted_.push_back(static_cast<int>(j));
  }
}

void EqualityReduction::to_split(double* y) const {
  for (Index i = 0; i < rank(); ++i) reflect(i, y);
}

void EqualityReduction::from_split(double* y) const {
  for (Index i = rank() - 1; i >= 0; --i) reflect(i, y);
}

void EqualityReduction::multipliers(double* a, VectorXd& fe) const {
  fe.setZero();
  for (Index j = rank() - 1; j >= 0; --j) {
    const double* column = R_.data() + j * m_;
    a[j] /= column[j];
    add_scaled(-a[j], column, a, j);
    fe[accepted_[j]] = a[j] / norm_[j];
  }
}

}  // namespace pequod
