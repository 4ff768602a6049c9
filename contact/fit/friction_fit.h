// Friction identified from contact forces.
#pragma once

#include <Eigen/Dense>
#include <cmath>

namespace pequod {

struct FrictionFit {
  double mu = NAN;               ///< NaN if no ten of the highest ratios crowd: it never slides
  double low = NAN, high = NAN;  ///< three standard errors to each side: 99.7 %
  double highest = NAN;          ///< the highest ratio met
  int sliding = 0;               ///< samples at the bound, which the estimate is from
  int samples = 0;               ///< with a normal force
};

/// μ from samples |f_t| and f_n of one pair of surfaces. A contact that slides has |f_t| = μ f_n,
/// one that sticks less: so μ is where the highest ratios crowd. They are averaged within four
/// `noise` to each side, if they stand out from those below, and but strays lie above them.
/// @param noise  relative error of a ratio, one standard deviation
[[nodiscard]] FrictionFit fit_friction(const Eigen::VectorXd& normal,
                                       const Eigen::VectorXd& tangential, double noise);

}  // namespace pequod
