#pragma once

#include <span>

#include "contact/solvers/friction/sparse/sparse_friction_workspace.h"

namespace pequod {

// Solvers for hundreds of contacts and more, arguments as SolveSparseFriction. A law that a method
// cannot serve ends in `failed` with a reason: none serves dimension 5. A tolerance of 1e-9 is
// asked where FrictionOptions::tolerance is smaller, as forces of thousands of contacts
// carry no more.

/// The default: 100, then 300 sweeps of exact block Gauss–Seidel, each followed by Newton's method
/// (block_newton.h); if that does not converge, Newton's method with falling compliance; last
/// 20 000 sweeps. Not for the associated law. `method` is "newton", "compliance" or "nsgs",
/// whichever ended it.
void solve_sparse_newton(const SparseFrictionProblem& problem, const FrictionOptions& options,
                         std::span<const double> warm_start, SparseFrictionWorkspace& workspace,
                         FrictionSolution& solution);

/// Sweeps alone; not for the associated law. Default: 20 000.
void solve_sparse_nsgs(const SparseFrictionProblem& problem, const FrictionOptions& options,
                       std::span<const double> warm_start, SparseFrictionWorkspace& workspace,
                       FrictionSolution& solution);

/// Alternating directions (friction_admm.h), over-relaxed, on a sparse factor: LDLᵀ, or LU if W is
/// not symmetric. Default: 2000 steps.
void solve_sparse_admm(const SparseFrictionProblem& problem, const FrictionOptions& options,
                       std::span<const double> warm_start, SparseFrictionWorkspace& workspace,
                       FrictionSolution& solution);

}  // namespace pequod
