#pragma once

#include "contact/solvers/friction/sparse/block_admm.h"
#include "contact/solvers/friction/sparse/block_friction.h"
#include "contact/solvers/friction/sparse/block_newton.h"
#include "contact/solvers/friction/sparse/sparse_friction_workspace.h"
#include "contact/solvers/linear/poison.h"

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
