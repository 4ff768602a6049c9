// The inverse of a block of one body.
#pragma once

#include "contact/solvers/friction/bodies/block_kernels.h"
#include "contact/solvers/friction/bodies/body_problem.h"

namespace pequod {

/// A ← A⁻¹, by columns, kBodyWidth columns of block_side(kBodyWidth) rows, of which those added are
/// zeros. By Gauss and Jordan without pivoting, which a positive definite symmetric part allows;
/// the same bits on every processor.
void invert_block(double* A);

}  // namespace pequod
