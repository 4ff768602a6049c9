// Friction pyramids of many contacts between bodies, by sweeps.
#pragma once

#include <span>

#include "contact/solvers/friction/bodies/body_problem.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

struct BodyPyramidOptions {
  int edges = 8;            ///< as of pyramid_lcp(), at least 3
  double tolerance = 1e-8;  ///< of BodyPyramidSolution::residual
  int sweeps = 3000;        ///< at most
};

struct BodyPyramidSolution {
  bool converged = false;
  VectorXd r;             ///< 3 × contacts, N·s, in the pyramids
  VectorXd y;             ///< 6 × bodies: y + Jᵀ r of the problem
  double residual = 0.0;  ///< natural map of the linear complementarity problem, relative
  int sweeps = 0;
};

/// Storage.
struct BodyPyramidWorkspace {
  ScaledBodies problem;
  std::vector<std::array<double, 2>> directions;
  VectorXd rho, y, best, best_y;

  void poison() { pequod::poison(problem, directions, rho, y, best, best_y); }
};

/// The law of pyramid_lcp() in the coordinates of the bodies, by block Gauss–Seidel: each contact
/// is solved exactly, the bodies moved at once. The best iterate is kept: in the pyramids, each
/// impulse equal and opposite, whatever is left.
/// @param warm_start  r of the same contacts; empty: none
void solve_body_pyramids(const BodyProblem& problem, const BodyPyramidOptions& options,
                         std::span<const double> warm_start, BodyPyramidWorkspace& workspace,
                         BodyPyramidSolution& solution);

}  // namespace pequod
