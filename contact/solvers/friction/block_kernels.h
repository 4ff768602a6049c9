// Products of 12 × 12 blocks, as fast as the processor at hand allows.
#pragma once

namespace pequod {

inline constexpr int kBlockSide = 12;

/// One of some products A Bᵀ of blocks, by columns.
struct BlockFactors {
  const double *A, *B;
};

/// All of blocks by columns, of which only the first 9 or 12 columns are taken; where those are 9,
/// so are the rows that are not zero. Sums run over columns of A, then products, four rows at a
/// time, whatever lanes there are: the same bits on every processor.
struct BlockKernels {
  /// C ← C + Σ A Bᵀ
  void (*add_products)(double* C, const BlockFactors* products, int count);
  /// z_i ← z_i − L_i x, z_i twelve of z from 12 · rows[i] on, for the blocks L_i that follow L
  void (*subtract_down)(const double* L, const int* rows, int count, const double* x, double* z);
  /// x ← x − Σ L_iᵀ z_i
  void (*subtract_up)(const double* L, const int* rows, int count, const double* z, double* x);
};

/// @param narrow  9 columns, not 12
[[nodiscard]] const BlockKernels& block_kernels(bool narrow);

}  // namespace pequod
