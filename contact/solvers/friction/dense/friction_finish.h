#pragma once

#include <Eigen/Dense>
#include <vector>

#include "contact/solvers/friction/dense/friction_newton.h"
#include "contact/solvers/friction/dense/scaled_friction.h"
#include "contact/solvers/linear/poison.h"

namespace pequod {

/// Buffers of the finish; no meaning from one call to the next.
struct FinishBuffers {
  std::vector<FrictionMode> modes;  ///< of the ρ that was returned
  std::vector<FrictionMode> trial_modes;
  Eigen::VectorXd u, trial;

  void poison() { pequod::poison(modes, trial_modes, u, trial); }
};

/// Makes the modes of a converged ρ hold to rounding: at most six Newton steps with the modes it
/// has, open contacts emptied and sliding friction set to −μρ_n û_t/|û_t|. Keeps the best ρ by
/// natural map, as a step on a singular block can throw away an exact one.
/// @return  residuals of the ρ returned, in the scaled problem
FrictionResiduals make_exact(const ScaledFriction& problem, NewtonBuffers& newton,
                             FinishBuffers& buffers, Eigen::VectorXd& rho);

}  // namespace pequod
