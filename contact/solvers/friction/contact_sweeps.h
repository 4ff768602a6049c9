#pragma once

#include "contact/solvers/friction/dense/scaled_friction.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

struct SweepSettings {
  int sweeps = 2000;
  double tolerance = 1e-12;  ///< ends where the natural map is at most this times S
  bool backwards = false;    ///< the last contact first
};

struct SweepResult {
  bool converged = false;
  int sweeps = 0;
};

/// Block Gauss–Seidel with exact solves at each contact (Jourdan, Alart & Jean 1998); not for the
/// associated law nor for rolling. Depends on the order of contacts.
/// @param problem  ScaledFriction or BlockFriction
/// @param u        storage
template <class Scaled>
SweepResult sweep_exact(const Scaled& problem, const SweepSettings& settings, VectorXd& u,
                        VectorXd& rho);

/// Block Gauss–Seidel with a projected step ρ ← P_K(ρ − (û + shift)/λ) at each contact, λ at least
/// the norm of its block; for all laws.
SweepResult sweep_projected(const ScaledFriction& problem, const SweepSettings& settings,
                            VectorXd& u, VectorXd& rho);

}  // namespace pequod
