#pragma once

#include <Eigen/Dense>

#include "contact/solvers/block_friction.h"

namespace pequod {

struct BlockAdmmSettings {
  int iterations = 2000;
  double tolerance = 1e-9;  ///< ends where the natural map is at most this times S
};

struct BlockAdmmResult {
  bool converged = false;
  int iterations = 0;
};

/// solve_admm for sparse problems, with x relaxed to 1.6 x − 0.6 y. Returns in ρ the y of least
/// natural map among those looked at.
BlockAdmmResult solve_admm(const BlockFriction& problem, const BlockAdmmSettings& settings,
                           Eigen::VectorXd& rho);

}  // namespace pequod
