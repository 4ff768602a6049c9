#pragma once

#include "contact/solvers/friction/sparse/block_newton.h"

namespace pequod {

/// x of J x = right in the buffers of Newton's method, by stabilised biconjugate gradients (van der
/// Vorst 1992) preconditioned by the diagonal. Where their shadow residual has lost them they start
/// again from where they are.
/// @param forcing  of the residual, relative to that of x = 0, at which they end; at most 1000
/// steps
void solve_by_gradients(double forcing, BlockNewtonBuffers& buffers);

}  // namespace pequod
