#pragma once

#include <algorithm>
#include <limits>

#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

// Both kinds of problem seen as one, so that a method is written once: z between two bounds.

struct Bounds {
  double lower = 0, upper = 0;  ///< either may be infinite

  [[nodiscard]] bool below() const { return lower > -std::numeric_limits<double>::infinity(); }
  [[nodiscard]] bool above() const { return upper < std::numeric_limits<double>::infinity(); }
  [[nodiscard]] double project(double z) const { return std::min(std::max(z, lower), upper); }
};

inline Bounds bounds(const LcpProblem& /*problem*/, Index /*row*/) {
  return {0.0, std::numeric_limits<double>::infinity()};
}

inline Bounds bounds(const BoxProblem& problem, Index row) {
  return {problem.lower[row], problem.upper[row]};
}

/// w and the residuals of solution.z with w = M z + q. @param bound_of  of a row
template <class BoundOf>
void measure_between(const MatrixXd& M, const VectorXd& q, LcpSolution& solution,
                     const BoundOf& bound_of) {
  const VectorXd& z = solution.z;
  solution.w = q;
  solution.w.noalias() += M * z;
  LcpResiduals& residuals = solution.residuals;
  residuals = {0, 0, 0, 0};
  double squares = 0;
  for (Index i = 0; i < z.size(); ++i) {
    const Bounds bound = bound_of(i);
    const double w = solution.w[i];
    const double map = z[i] - bound.project(z[i] - w);
    squares += map * map;
    const double distance = w >= 0 ? z[i] - bound.lower : bound.upper - z[i];
    const double outside = std::max({0.0, bound.lower - z[i], z[i] - bound.upper});
    residuals.infeasibility = std::max(residuals.infeasibility, outside);
    if (std::isinf(distance))
      residuals.infeasibility = std::max(residuals.infeasibility, std::abs(w));
    else
      residuals.complementarity = std::max(residuals.complementarity, std::abs(w * distance));
  }
  residuals.natural = std::sqrt(squares);
  const double size = std::max({q.norm(), z.norm(), solution.w.norm()});
  residuals.relative = size > 0 ? residuals.natural / size : residuals.natural;
}

}  // namespace pequod
