// A contact LCP learnt by descent on penalties (Pfrommer 2019, sec. 3.1.1–3.1.3).
#pragma once

#include <Eigen/Dense>
#include <cmath>

#include "contact/fit/lcp_fit.h"

namespace pequod {

/// Weights of the cost of a row's value p = G λ + f(d), f affine:
///   prediction (p − target)² + complementarity (λᵢ p)² + sign max(0, −p)², mean of the samples.
/// It is convex in the row.
struct PenaltyOptions {
  double prediction = 0.0, complementarity = 1.0, sign = 1.0;
  int fixed = -1;            ///< entry of the row that is 1 or −1, for the scale; −1: none
  double fixed_value = 1.0;  ///< of it
  int most_steps = 20000;
  double enough = 1e-15;  ///< gradient, relative to its scale
};

struct PenaltyRow {
  Eigen::VectorXd entries;  ///< of G, f and its constant
  double cost = NAN;
  int steps = 0;
  bool converged = false;
};

/// Accelerated gradient descent from zero (Nesterov 1983; restarted where it would climb,
/// O'Donoghue & Candès 2015).
/// @param row     i of λᵢ
/// @param target  N; of size 0 without prediction
[[nodiscard]] PenaltyRow descend(const FitSamples& samples, int row, const Eigen::VectorXd& target,
                                 const PenaltyOptions& options);

/// The basis form: M = φφᵀ + diag(α) + antisymmetric, α ≥ 0, and W with constants.
struct BasisForm {
  Eigen::Vector3d phi, alpha, beta;  ///< β of (1,2), (1,3), (2,3)
  Eigen::Matrix3d W;                 ///< of (d₁, d₂, 1)

  [[nodiscard]] Eigen::Matrix3d M() const;
};

struct BasisFit {
  BasisForm form;
  double cost = NAN;  ///< mean over samples
};

/// Least squares of the same penalties for three unknowns and two inputs, by damped steps from a
/// given start, with the sums of M's rows held: without them zero is a solution.
[[nodiscard]] BasisFit fit_basis(const FitSamples& samples, const Eigen::Vector3d& sums,
                                 const BasisForm& start);

}  // namespace pequod
