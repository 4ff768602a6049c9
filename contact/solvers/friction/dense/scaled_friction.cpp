#include "contact/solvers/friction/dense/scaled_friction.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "contact/solvers/friction/friction_cone.h"

namespace pequod {

namespace {

/// W is symmetric if its halves differ by no more than rounding of a product.
bool is_symmetric(const RowMajorMatrix& W) {
  double difference = 0, largest = 0;
  for (Eigen::Index i = 0; i < W.rows(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) {
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

void scale_units(const FrictionProblem& problem, ScaledFriction& scaled) {
  const int dimension = problem.dimension;
  for (int i = 0; i < scaled.n; ++i) {
    double trace = 0;
    for (int k = 0; k < dimension; ++k) trace += problem.W(dimension * i + k, dimension * i + k);
    scaled.d[i] = trace > 0 ? std::sqrt(dimension / trace) : 1;
  }
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

void ScaledFriction::apply(const Eigen::VectorXd& rho, Eigen::VectorXd& u) const {
  u.noalias() = W * rho;
  u += q;
}

void scale_friction(const FrictionProblem& problem, ScaledFriction& scaled,
                    bool decouple_frictionless) {
  const int n = static_cast<int>(problem.mu.size());
  scaled.n = n;
  scaled.stride = std::max(3, problem.dimension);
  scaled.associated = problem.associated;
  scaled.scale = problem.scale;
  const int N = scaled.rows();
  scaled.W.resize(N, N);
  scaled.q.resize(N);
  scaled.mu.resize(n);
  scaled.d.resize(n);
  scale_units(problem, scaled);
  scale_matrix(problem, scaled);
  scaled.no_slip = false;
  for (int i = 0; i < n; ++i) {
    scaled.mu[i] = problem.mu[i];
    if (problem.mu[i] >= kNoSlipFriction) {
      scaled.mu[i] = std::numeric_limits<double>::infinity();
      scaled.no_slip = true;
    }
    const bool frictionless = decouple_frictionless && problem.mu[i] == 0;
    if (frictionless) decouple(scaled, scaled.stride * i + 1);
    if (frictionless || problem.dimension == 2) decouple(scaled, scaled.stride * i + 2);
  }
  if (problem.dimension == 5) scaled.mu_rolling = problem.mu_rolling;
  scaled.symmetric = is_symmetric(scaled.W);
  scaled.q_norm = scaled.q.norm();
}

void finish(const FrictionProblem& problem, const ScaledFriction& scaled,
            const Eigen::VectorXd& rho, FrictionSolution& solution) {
  solution.several = false;  // as far as is known
  unscale(scaled, problem.dimension, rho, solution.r);
  measure(problem, solution);
}

FrictionResiduals measure(const ScaledFriction& scaled, const Eigen::VectorXd& rho,
                          const Eigen::VectorXd& u, FrictionMode* modes) {
  return measure({scaled.n, scaled.stride, rho.data(), u.data(), scaled.q.data(), nullptr,
                  scaled.mu.data(), scaled.mu_rolling.data(), scaled.associated, scaled.scale},
                 modes);
}

}  // namespace pequod
