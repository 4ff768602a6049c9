#pragma once

#include "contact/solvers/friction/dense/friction_admm.h"
#include "contact/solvers/friction/dense/friction_newton.h"
#include "contact/solvers/friction/dense/scaled_friction.h"
#include "contact/solvers/friction/sparse/block_friction.h"
#include "contact/solvers/friction/sparse/block_newton.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Buffers of all friction solvers on matrices. They grow to the largest problem met, after which a
/// solve allocates nothing, of a sparse W one of the same structure. A workspace carries no meaning
/// from one solve to the next.
struct FrictionWorkspace {
  ScaledFriction problem;
  NewtonBuffers newton;
  AdmmBuffers admm;
  VectorXd rho, start, best, u;
  MatrixXd loaded;  ///< W of the contacts that carry force

  BlockFriction blocks;
  BlockNewtonBuffers block_newton;
  VectorXd swept;

  void poison() {
    pequod::poison(problem, newton, admm, rho, start, best, u, loaded, blocks, block_newton, swept);
  }
};

}  // namespace pequod
