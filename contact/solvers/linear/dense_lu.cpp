#include "contact/solvers/linear/dense_lu.h"

#include <cmath>
#include <utility>

#include "contact/solvers/linear/small_vector_operations.h"

namespace pequod {

void DenseLu::reserve(Index k) {
  grow(entries_, k * k);
  if (exchanged_.size() < static_cast<std::size_t>(k)) exchanged_.resize(k);
}

Eigen::Map<MatrixXd> DenseLu::matrix(Index k) {
  k_ = k;
  reserve(k);
  return {entries_.data(), k, k};
}

double DenseLu::factor() {
  if (k_ == 0) return 1.0;
  Eigen::Map<MatrixXd> A(entries_.data(), k_, k_);
  const double size = A.cwiseAbs().maxCoeff();
  double least = size;
  for (Index j = 0; j < k_; ++j) {
    Index pivot = j;
    for (Index i = j + 1; i < k_; ++i)
      if (std::abs(A(i, j)) > std::abs(A(pivot, j))) pivot = i;
    exchanged_[j] = pivot;
    if (!(std::abs(A(pivot, j)) > 0)) return 0.0;
    least = std::min(least, std::abs(A(pivot, j)));
    if (pivot != j)
      for (Index k = 0; k < k_; ++k) std::swap(A(pivot, k), A(j, k));
    double* column = &A(0, j);
    for (Index i = j + 1; i < k_; ++i) column[i] /= column[j];
    for (Index k = j + 1; k < k_; ++k)
      if (A(j, k) != 0) add_scaled(-A(j, k), column + j + 1, &A(0, k) + j + 1, k_ - j - 1);
  }
  return least / size;
}

void DenseLu::solve(double* x) const {
  for (Index j = 0; j < k_; ++j) std::swap(x[j], x[exchanged_[j]]);
  for (Index j = 0; j < k_; ++j)
    add_scaled(-x[j], entries_.data() + j * k_ + j + 1, x + j + 1, k_ - j - 1);
  for (Index j = k_ - 1; j >= 0; --j) {
    x[j] /= entries_[j * k_ + j];
    add_scaled(-x[j], entries_.data() + j * k_, x, j);
  }
}

}  // namespace pequod
