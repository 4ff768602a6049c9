#pragma once

#include <Eigen/Dense>

#include "contact/solvers/block_friction.h"

namespace pequod {

struct BlockNewtonSettings {
  int iterations = 25;
  double tolerance = 1e-9;  ///< ends where |F| is at most this times S
  /// Added to the diagonal of W in the Newton matrix alone: W is singular as a rule.
  double shift = 1e-8;
  /// Compliance: û = W ρ + q + ε (ρ − centre).
  double compliance = 0;
  const Eigen::VectorXd* centre = nullptr;
  /// Of the residual of a Newton step, solved by BiCGSTAB: more exact steps save no iterations.
  double forcing = 1e-3;
};

struct BlockNewtonResult {
  bool converged = false;
  int iterations = 0;
};

/// solve_newton for sparse problems: the steps by the stabilised biconjugate gradient method (van
/// der Vorst 1992), preconditioned by the diagonal. A factorisation would cost seconds at 3000
/// contacts. Needs a start near the solution, as a hundred sweeps give.
BlockNewtonResult solve_newton(const BlockFriction& problem, const BlockNewtonSettings& settings,
                               Eigen::VectorXd& rho);

}  // namespace pequod
