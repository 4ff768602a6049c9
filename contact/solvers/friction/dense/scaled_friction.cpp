#include "contact/solvers/friction/dense/scaled_friction.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "contact/solvers/linear/small_vector_operations.h"

namespace pequod {

namespace {

/// W is symmetric if its halves differ by no more than rounding of a product.
bool is_symmetric(const RowMajorMatrix& W) {
  double difference = 0, largest = 0;
  for (Index i = 0; i < W.rows(); ++i)
    for (Index j = 0; j < i; ++j) {
      difference = std::max(difference, std::abs(W(i, j) - W(j, i)));
      largest = std::max(largest, std::abs(W(i, j)));
    }
  return difference <= 1e-13 * largest;
}

/// Rows of W and q that have no counterpart in the problem, or no effect: ρ = û = 0 there.
void decouple(ScaledFriction& scaled, int row) {
  scaled.W.row(row).setZero();
  scaled.W.col(row).setZero();
  scaled.W(row, row) = 1;
  scaled.q[row] = 0;
}

void scale_matrix(const FrictionProblem& problem, ScaledFriction& scaled) {
  const int dimension = problem.dimension, stride = scaled.stride;
  for (int j = 0; j < scaled.n; ++j)
    for (int i = 0; i < scaled.n; ++i) {
      const double factor = scaled.d[i] * scaled.d[j];
      for (int l = 0; l < dimension; ++l)
        for (int k = 0; k < dimension; ++k)
          scaled.W(stride * i + k, stride * j + l) =
              factor * problem.W(dimension * i + k, dimension * j + l);
    }
  for (int i = 0; i < scaled.n; ++i)
    for (int k = 0; k < dimension; ++k)
      scaled.q[stride * i + k] = scaled.d[i] * problem.q[dimension * i + k];
}

}  // namespace

void ScaledFriction::velocity(int i, const double* rho, double* u) const {
  const int N = rows();
  for (int row = stride * i; row < stride * (i + 1); ++row)
    *u++ = q[row] + dot(W.data() + row * N, rho, N);
}

std::array<double, 9> ScaledFriction::own(int i) const {
  std::array<double, 9> block;
  Eigen::Map<RowMajor3>(block.data()) = W.block<3, 3>(stride * i, stride * i);
  return block;
}

void ScaledFriction::apply(const VectorXd& rho, VectorXd& u) const {
  u.noalias() = W * rho;
  u += q;
}

void scale_friction(const FrictionProblem& problem, ScaledFriction& scaled,
                    bool decouple_frictionless) {
  scale_contacts(problem, scaled);
  const int N = scaled.rows();
  scaled.W.resize(N, N);
  scaled.q.resize(N);
  scale_matrix(problem, scaled);
  scaled.no_slip = (scaled.mu.array() >= kNoSlipFriction).any();
  for (int i = 0; i < scaled.n; ++i) {
    const bool frictionless = decouple_frictionless && problem.mu[i] == 0;
    if (frictionless) decouple(scaled, scaled.stride * i + 1);
    if (frictionless || problem.dimension == 2) decouple(scaled, scaled.stride * i + 2);
  }
  scaled.symmetric = is_symmetric(scaled.W);
  scaled.q_norm = scaled.q.norm();
}

FrictionResiduals measure(const ScaledFriction& scaled, const VectorXd& rho, const VectorXd& u,
                          FrictionMode* modes) {
  return measure({scaled.n, scaled.stride, rho.data(), u.data(), scaled.q.data(), nullptr,
                  scaled.mu.data(), scaled.mu_rolling.data(), scaled.associated, scaled.scale},
                 modes);
}

}  // namespace pequod
