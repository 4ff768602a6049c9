#pragma once

#include "contact/solvers/friction/dense/friction_admm.h"
#include "contact/solvers/friction/dense/friction_finish.h"
#include "contact/solvers/friction/dense/friction_gauss_seidel.h"
#include "contact/solvers/friction/dense/friction_newton.h"
#include "contact/solvers/friction/dense/friction_proximal.h"
#include "contact/solvers/friction/dense/friction_workspace.h"
#include "contact/solvers/friction/dense/scaled_friction.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/quadratic/cone_interior_point.h"

namespace pequod {

/// Buffers of all friction solvers on matrices.
struct FrictionWorkspace::Buffers {
  ScaledFriction problem;
  NewtonBuffers newton;
  FinishBuffers finish;
  SweepBuffers sweep;
  ProximalBuffers proximal;
  AdmmBuffers admm;
  ConeProgram program;
  InteriorPointBuffers interior_point;
  Eigen::VectorXd rho, start, best;
  Eigen::MatrixXd loaded;  ///< W of the contacts that carry force

  void poison() {
    pequod::poison(problem, newton, finish, sweep, proximal, admm, program, interior_point, rho,
                   start, best, loaded);
  }
};

}  // namespace pequod
