// Products of square blocks, as fast as the processor at hand allows.
#pragma once

namespace pequod {

/// Rows in which a block of so many is kept, by columns: those added are zeros.
constexpr int block_side(int width) { return (width + 3) / 4 * 4; }

/// One of some products A Bᵀ of blocks.
struct BlockFactors {
  const double *A, *B;
};

/// All of blocks by columns. Sums run over columns of A, then products, four rows at a time,
/// whatever lanes there are: the same bits on every processor.
struct BlockKernels {
  /// C ← C − Σ A Bᵀ
  void (*subtract_products)(double* C, const BlockFactors* products, int count);
  /// C ← A Bᵀ
  void (*set_product)(double* C, const BlockFactors& product);
  /// z_i ← z_i − L_i x, z_i a block's side of z from side · rows[i] on, for the blocks L_i that
  /// follow L
  void (*subtract_down)(const double* L, const int* rows, int count, const double* x, double* z);
  /// x ← x − Σ L_iᵀ z_i
  void (*subtract_up)(const double* L, const int* rows, int count, const double* z, double* x);
};

enum class BlockKind {
  six,
  twelve,
  nine_of_twelve,  ///< three rows and columns are zeros
};

[[nodiscard]] const BlockKernels& block_kernels(BlockKind kind);

/// Rows and columns of a block that is inverted: the motions of a free body.
inline constexpr int kInverted = 6;

/// A ← A⁻¹, by columns, kInverted columns of block_side(kInverted) rows, of which those added are
/// zeros. By Gauss and Jordan without pivoting, which a positive definite symmetric part allows;
/// the same bits on every processor.
void invert_block(double* A);

}  // namespace pequod
