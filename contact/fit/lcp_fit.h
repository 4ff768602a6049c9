// A contact LCP learnt from data by linear programs (Pfrommer 2019, sec. 3.1.4).
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <string>
#include <vector>

namespace pequod {

/// Samples of 0 ≤ λ ⊥ M λ + q ≥ 0 with q = W d + bias, affine in the inputs d.
struct FitSamples {
  Eigen::MatrixXd lambda;  ///< N×n, ≥ 0
  Eigen::MatrixXd inputs;  ///< N×k
};

/// What the entries of a row of M and q are multiplied by at each sample: λ, d, 1.
/// @return N×(n + k + 1)
[[nodiscard]] Eigen::MatrixXd fit_features(const FitSamples& samples);

struct FitOptions {
  double margin = 0.0;     ///< ε: M λ + q ≥ ε at every sample
  double l1 = 0.0;         ///< weight of Σ|entry| beside the products' sum over the samples
  std::vector<char> bias;  ///< n: whether q of this row has a constant; empty: none has
};

/// One row of M and q. Rows do not depend on each other. In print ε is the only scale, so that the
/// program is homogeneous and ε does nothing; here the mean of M λ + q over the samples is 1, which
/// fixes the row's scale and excludes M = 0, q = 0.
struct FitRow {
  bool solved = false;
  std::string reason;    ///< why not
  Eigen::VectorXd M, W;  ///< n, k
  double bias = 0.0;
  double cost = NAN;          ///< Σ λᵢ (M λ + q)ᵢ over the samples
  Eigen::VectorXd low, high;  ///< n + k + 1: bounds of each entry among all rows of this cost
  int undetermined = 0;       ///< entries whose bounds are apart
};

struct LcpFit {
  std::vector<FitRow> rows;
};

/// @throws std::invalid_argument  with the sizes, if they do not fit together
[[nodiscard]] LcpFit fit_lcp(const FitSamples& samples, const FitOptions& options = {});

/// The row (M, W, bias) for ε → 0: for small ε it is affine in ε, so two fits give it.
[[nodiscard]] Eigen::VectorXd extrapolated_row(const FitSamples& samples, FitOptions options,
                                               int row);

/// (M, W, bias) as one vector.
[[nodiscard]] Eigen::VectorXd entries(const FitRow& row);

}  // namespace pequod
