#pragma once

#include <span>

#include "contact/solvers/friction/friction_workspace.h"

namespace pequod {

/// For hundreds of contacts and more; arguments as SolveSparseFriction: 100, then 300 sweeps of
/// exact block Gauss–Seidel, each followed by Newton's method (block_newton.h); if that does not
/// converge, Newton's method with falling compliance; last 20 000 sweeps. `method` is "newton",
/// "compliance" or "nsgs", whichever ended it. Dimension 5 and the associated law end in `failed`.
/// A tolerance of 1e-9 is asked where FrictionOptions::tolerance is smaller, as forces of thousands
/// of contacts carry no more.
void solve_sparse_newton(const SparseFrictionProblem& problem, const FrictionOptions& options,
                         std::span<const double> warm_start, FrictionWorkspace& workspace,
                         FrictionSolution& solution);

}  // namespace pequod
