#pragma once

#include <span>

#include "contact/solvers/friction/dense/friction_workspace.h"
#include "contact/solvers/friction/friction_problem.h"

namespace pequod {

// Single methods, for comparison and as parts of solve_coulomb; arguments as SolveFriction. A law
// that a method cannot serve ends in `failed` with a reason.

/// Semismooth Newton (friction_newton.h), then exact modes; not for rolling. Default: 50 steps.
void solve_friction_newton(const FrictionProblem& problem, const FrictionOptions& options,
                           std::span<const double> warm_start, FrictionWorkspace& workspace,
                           FrictionSolution& solution);

/// Block Gauss–Seidel, exact at each contact; not for the associated law nor for rolling. Default:
/// 2000 sweeps.
void solve_nsgs(const FrictionProblem& problem, const FrictionOptions& options,
                std::span<const double> warm_start, FrictionWorkspace& workspace,
                FrictionSolution& solution);

/// Block Gauss–Seidel with projected steps; for all laws. Default: 2000 sweeps.
void solve_projected_gauss_seidel(const FrictionProblem& problem, const FrictionOptions& options,
                                  std::span<const double> warm_start, FrictionWorkspace& workspace,
                                  FrictionSolution& solution);

/// Alternating directions (friction_admm.h); for all laws. Default: 2000 steps.
void solve_friction_admm(const FrictionProblem& problem, const FrictionOptions& options,
                         std::span<const double> warm_start, FrictionWorkspace& workspace,
                         FrictionSolution& solution);

/// The limit of vanishing compliance (friction_proximal.h), then Newton and exact modes; not for
/// rolling. The warm start is where the first compliance begins. Default: 30 Newton steps each.
void solve_proximal(const FrictionProblem& problem, const FrictionOptions& options,
                    std::span<const double> warm_start, FrictionWorkspace& workspace,
                    FrictionSolution& solution);

/// Interior point method (cone_interior_point.h) for the associated law, W symmetric, then Newton;
/// not for rolling nor for Coulomb's law, which is no program. Default: 50 steps.
/// The warm start is not looked at: interior points forget it.
void solve_friction_interior_point(const FrictionProblem& problem, const FrictionOptions& options,
                                   std::span<const double> warm_start, FrictionWorkspace& workspace,
                                   FrictionSolution& solution);

}  // namespace pequod
