#include "contact/solvers/linear/principal_factor.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "contact/solvers/linear/small_vector_operations.h"

namespace pequod {

void PrincipalFactor::reset(Index n) {
  n_ = n;
  grow(L_, n * n);
  grow(l_, n);
  rows_.clear();
  rows_.reserve(n);
}

double PrincipalFactor::split(const MatrixXd& A, int d) {
  const double* entries = A.data() + d * A.rows();
  for (Index i = 0; i < size(); ++i) l_[i] = entries[rows_[i]];
  solve_forward(l_.data());
  remainder_ = entries[d] - long_dot(l_.data(), l_.data(), size());
  return remainder_;
}

void PrincipalFactor::follow(double* x) const {
  for (Index i = 0; i < size(); ++i) x[i] = -l_[i];
  solve_back(x);
}

void PrincipalFactor::append(int d) {
  assert(remainder_ > 0 && size() < n_);
  const Index k = size();
  for (Index j = 0; j < k; ++j) column(j)[k] = l_[j];
  column(k)[k] = std::sqrt(remainder_);
  rows_.push_back(d);
}

void PrincipalFactor::remove(Index position) {
  rows_.erase(rows_.begin() + position);
  const Index k = size();
  for (Index j = 0; j <= position; ++j)
    std::copy(column(j) + position + 1, column(j) + k + 1, column(j) + position);
  // The columns after it move up as well, and each row then has one entry beyond the diagonal,
  // which a rotation of two columns moves onto it.
  for (Index j = position; j < k; ++j) {
    double *left = column(j), *right = column(j + 1);
    std::copy(right + j + 1, right + k + 1, right + j);
    const double a = left[j], b = right[j];
    const double length = std::hypot(a, b), cosine = a / length, sine = b / length;
    left[j] = length;
    for (Index i = j + 1; i < k; ++i) rotate(cosine, sine, left[i], right[i]);
  }
}

void PrincipalFactor::solve(double* x) const {
  solve_forward(x);
  solve_back(x);
}

void PrincipalFactor::solve_forward(double* x) const {
  for (Index j = 0; j < size(); ++j) {
    x[j] /= column(j)[j];
    add_scaled(-x[j], column(j) + j + 1, x + j + 1, size() - j - 1);
  }
}

void PrincipalFactor::solve_back(double* x) const {
  for (Index j = size() - 1; j >= 0; --j)
    x[j] = (x[j] - long_dot(column(j) + j + 1, x + j + 1, size() - j - 1)) / column(j)[j];
}

}  // namespace pequod
