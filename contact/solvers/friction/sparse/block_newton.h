#pragma once

#include <Eigen/Dense>
#include <vector>

#include "contact/solvers/friction/friction_equations.h"
#include "contact/solvers/friction/sparse/block_friction.h"
#include "contact/solvers/linear/poison.h"

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

/// Buffers; no meaning from one solve to the next.
struct BlockNewtonBuffers {
  /// The Newton matrix at the contacts that are not open, as rows of 3×3 blocks.
  struct Matrix {
    std::vector<int> row_start, columns;
    std::vector<double> blocks;
    Eigen::VectorXd inverse;  ///< of the diagonal; 1 where that is zero
  } J;
  Eigen::VectorXd u, F, step, change, right, best, next;
  std::vector<ContactEquations> kinds;
  std::vector<char> active;  ///< contacts that are not open
  std::vector<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> A, B;
  /// Of the biconjugate gradients.
  Eigen::VectorXd x, r, shadow, p, v, s, t, y, z;

  void poison() {
    pequod::poison(J.row_start, J.columns, J.blocks, J.inverse, u, F, step, change, right, best,
                   next, kinds, active, A, B, x, r, shadow, p, v, s, t, y, z);
  }
};

/// solve_newton for sparse problems: the steps by the stabilised biconjugate gradient method (van
/// der Vorst 1992), preconditioned by the diagonal. A factorisation would cost seconds at 3000
/// contacts. Needs a start near the solution, as a hundred sweeps give.
BlockNewtonResult solve_newton(const BlockFriction& problem, const BlockNewtonSettings& settings,
                               BlockNewtonBuffers& buffers, Eigen::VectorXd& rho);

}  // namespace pequod
