// A contact LCP learnt from what follows what, where its forces were not measured.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <cstdint>

namespace pequod {

/// Samples of y = A (d, 1) + B λ with 0 ≤ λ ⊥ M λ + H (d, 1) ≥ 0 and λ unknown.
struct TransitionSamples {
  Eigen::MatrixXd inputs;  ///< N×k, d
  Eigen::MatrixXd next;    ///< N×m, y
};

struct TransitionOptions {
  int forces = 1;          ///< n, of λ: 1…6
  int starts = 40;         ///< random ones; the best end is taken
  int most_rounds = 300;   ///< of each
  double enough = 1e-12;   ///< an error this small ends it, relative to the spread of y
  std::uint64_t seed = 1;  ///< of the starts
};

/// The map from inputs to y. A scale of each λ and of each row is free: here the diagonal of M and
/// the largest entry of each column of B are 1 in size. So is the exchange of some λ with their
/// w = M λ + H (d, 1): of these forms this is the one of least |A|.
struct TransitionLaw {
  Eigen::MatrixXd A;  ///< m×(k+1)
  Eigen::MatrixXd B;  ///< m×n
  Eigen::MatrixXd M;  ///< n×n
  Eigen::MatrixXd H;  ///< n×(k+1)
};

struct TransitionFit {
  TransitionLaw law;
  TransitionLaw error;       ///< standard errors of its entries; ∞: not determined
  double rms = NAN;          ///< of y against its prediction
  double relative = NAN;     ///< to the spread of y
  int undetermined = 0;      ///< entries
  int starts = 0, best = 0;  ///< starts tried, and those of them that ended at this error
};

/// Alternates between the forces, which are those of the LCP with its present rows, and the rows,
/// by a damped step of least squares with the present contacts (Levenberg 1944, Marquardt 1963);
/// from many starts, since each ends at the nearest optimum only.
/// @throws std::invalid_argument  with the sizes, if they do not fit together
[[nodiscard]] TransitionFit fit_transitions(const TransitionSamples& samples,
                                            const TransitionOptions& options = {});

/// y of a law at inputs, a row each; NaN where its LCP has no solution.
[[nodiscard]] Eigen::MatrixXd predicted(const TransitionLaw& law, const Eigen::MatrixXd& inputs);

}  // namespace pequod
