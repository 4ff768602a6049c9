#pragma once

#include <vector>

#include "contact/solvers/friction/contact_newton.h"
#include "contact/solvers/friction/sparse/block_friction.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Buffers; no meaning from one solve to the next.
struct BlockNewtonBuffers : ContactNewtonBuffers {
  BlockRows J;       ///< the Newton matrix at the contacts that are not open
  VectorXd inverse;  ///< of its diagonal; 1 where that is zero
  VectorXd change, right;
  std::vector<char> active;  ///< contacts that are not open
  /// Of the biconjugate gradients.
  VectorXd x, r, shadow, p, v, s, t, y, z;

  void poison() {
    ContactNewtonBuffers::poison();
    pequod::poison(J, inverse, change, right, active, x, r, shadow, p, v, s, t, y, z);
  }
};

/// iterate_newton, its steps by the stabilised biconjugate gradient method (van
/// der Vorst 1992), preconditioned by the diagonal. A factorisation would cost seconds at 3000
/// contacts. Needs a start near the solution, as a hundred sweeps give.
NewtonResult solve_newton(const BlockFriction& problem, const NewtonSettings& settings,
                          BlockNewtonBuffers& buffers, VectorXd& rho);

}  // namespace pequod
