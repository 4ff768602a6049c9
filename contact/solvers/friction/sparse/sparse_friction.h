#pragma once

#include "contact/solvers/friction/friction_problem.h"
#include "contact/solvers/friction/friction_workspace.h"

namespace pequod {

/// For hundreds of contacts and more; arguments as ContactsMethod says: 100, then 300 sweeps of
/// exact block Gauss–Seidel, each followed by Newton's method (block_newton.h); last 20 000 sweeps.
/// `method` is "warm", "newton" or "nsgs", whichever ended it. Dimension 5 and the associated law
/// end in `failed`. A tolerance of 1e-9 is asked where FrictionOptions::tolerance is smaller, as
/// forces of thousands of contacts carry no more.
ContactsMethod<SparseFrictionProblem> solve_sparse_newton;

}  // namespace pequod
