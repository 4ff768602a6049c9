// The inverse of a small block.
#pragma once

#include "contact/solvers/linear/block_kernels.h"

namespace pequod {

/// Rows and columns of a block that is inverted: the motions of a free body.
inline constexpr int kInverted = 6;

/// A ← A⁻¹, by columns, kInverted columns of block_side(kInverted) rows, of which those added are
/// zeros. By Gauss and Jordan without pivoting, which a positive definite symmetric part allows;
/// the same bits on every processor.
void invert_block(double* A);

}  // namespace pequod
