#pragma once

#include "contact/solvers/block_admm.h"
#include "contact/solvers/block_friction.h"
#include "contact/solvers/block_newton.h"
#include "contact/solvers/friction_solvers.h"
#include "contact/solvers/poison.h"

namespace pequod {

/// Buffers of all friction solvers on sparse matrices.
struct SparseFrictionWorkspace::Buffers {
  BlockFriction problem;
  BlockNewtonBuffers newton;
  BlockAdmmBuffers admm;
  Eigen::VectorXd rho, swept, centre, u;

  void poison() { pequod::poison(problem, newton, admm, rho, swept, centre, u); }
};

}  // namespace pequod
