#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <limits>

#include "contact/solvers/complementarity/lcp_problem.h"

namespace pequod {

// The three kinds of problem seen as one, so that a method is written once: z between two bounds.

struct Bounds {
  double lower = 0, upper = 0;  ///< either may be infinite

  [[nodiscard]] bool below() const { return lower > -std::numeric_limits<double>::infinity(); }
  [[nodiscard]] bool above() const { return upper < std::numeric_limits<double>::infinity(); }
  [[nodiscard]] double project(double z) const { return std::min(std::max(z, lower), upper); }
};

inline Bounds bounds(const LcpProblem& /*problem*/, Eigen::Index /*row*/) {
  return {0.0, std::numeric_limits<double>::infinity()};
}

inline Bounds bounds(const MlcpProblem& problem, Eigen::Index row) {
  const double infinity = std::numeric_limits<double>::infinity();
  return {problem.equality[static_cast<std::size_t>(row)] != 0 ? -infinity : 0.0, infinity};
}

inline Bounds bounds(const BoxProblem& problem, Eigen::Index row) {
  return {problem.lower[row], problem.upper[row]};
}

}  // namespace pequod
