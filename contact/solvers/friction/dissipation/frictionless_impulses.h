#pragma once

#include <Eigen/Dense>

#include "contact/solvers/friction/dense/scaled_friction.h"
#include "contact/solvers/least_distance/least_distance.h"
#include "contact/solvers/least_distance/least_distance_workspace.h"
#include "contact/solvers/linear/poison.h"

namespace pequod {

/// Buffers; no meaning from one call to the next.
struct FrictionlessBuffers {
  LeastDistanceProblem problem;
  LeastDistanceWorkspace workspace;
  LeastDistanceSolution solution;
  RowMajorMatrix factor;
  Eigen::VectorXi order;

  void poison() { pequod::poison(problem, workspace, factor, order); }
};

/// ρ_n ≥ 0 with û_n = W_nn ρ_n + q_n ≥ 0 and no product: phase I of Drumwright & Shell 2010 (QP 3).
/// W_nn = L Lᵀ by Cholesky's method with pivots makes it a least-distance problem.
/// @return  its status; `normal` is written if it is solved
SolveStatus solve_frictionless(const ScaledFriction& problem, FrictionlessBuffers& buffers,
                               Eigen::VectorXd& normal);

}  // namespace pequod
