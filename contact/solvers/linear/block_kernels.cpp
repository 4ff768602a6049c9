#include "contact/solvers/linear/block_kernels.h"

#include <cstddef>

#include "contact/solvers/linear/lanes.h"

namespace pequod {

namespace {

// Blocks of which only the first columns are taken, and as many rows.
template <int Width, int Taken>
struct Kernels {
  static constexpr int kSide = block_side(Width), kParts = kSide / kLanes;

  // C ← C − Σ A Bᵀ.
  // @tparam Set      C ← A Bᵀ instead, whatever it was
  // @tparam Own      lanes
  // @tparam Columns  of C at a time in registers
  template <bool Set, typename Own, int Columns>
  PEQUOD_INLINE static void multiply(double* C, const BlockFactors* products, int count) {
    constexpr int kOwn = sizeof(Own) / sizeof(double), kOwnParts = kSide / kOwn;
    static_assert(kSide % kOwn == 0 && Taken % Columns == 0);
    for (int j = 0; j < Taken; j += Columns) {
      Own sum[Columns][kOwnParts] = {};
      for (int c = 0; c < Columns && !Set; ++c)
        for (int i = 0; i < kOwnParts; ++i)
          sum[c][i] = lanes_at<Own>(C + kSide * (j + c) + kOwn * i);
      for (int p = 0; p < count; ++p)
#pragma GCC unroll 1  // all at once would not leave the sums in registers
        for (int k = 0; k < Taken; ++k)
          for (int i = 0; i < kOwnParts; ++i) {
            const Own a = lanes_at<Own>(products[p].A + kSide * k + kOwn * i);
            for (int c = 0; c < Columns; ++c) {
              const Own product = a * products[p].B[kSide * k + j + c];
              sum[c][i] = Set ? sum[c][i] + product : sum[c][i] - product;
            }
          }
      for (int c = 0; c < Columns; ++c)
        for (int i = 0; i < kOwnParts; ++i)
          lanes_at<Own>(C + kSide * (j + c) + kOwn * i) = sum[c][i];
    }
  }

  PEQUOD_TWICE static void subtract(double* C, const BlockFactors* products, int count) {
    multiply<false, Lanes, 3>(C, products, count);
  }
  PEQUOD_WIDE static void subtract_wide(double* C, const BlockFactors* products, int count) {
    multiply<false, WideLanes, 6>(C, products, count);
  }
  PEQUOD_TWICE static void set(double* C, const BlockFactors& product) {
    multiply<true, Lanes, 3>(C, &product, 1);
  }
  PEQUOD_WIDE static void set_wide(double* C, const BlockFactors& product) {
    multiply<true, WideLanes, 6>(C, &product, 1);
  }

  PEQUOD_TWICE static void down(const double* L, const int* rows, int count, const double* x,
                                double* z) {
    for (int e = 0; e < count; ++e, L += kSide * Width) {
      double* to = z + kSide * rows[e];
      for (int i = 0; i < kParts; ++i) {
        Lanes sum = lanes(to + kLanes * i);
        for (int c = 0; c < Taken; ++c) sum -= lanes(L + kSide * c + kLanes * i) * x[c];
        lanes(to + kLanes * i) = sum;
      }
    }
  }

  PEQUOD_TWICE static void up(const double* L, const int* rows, int count, const double* z,
                              double* x) {
    Lanes sum[Taken] = {};
    for (int e = 0; e < count; ++e, L += kSide * Width)
      for (int i = 0; i < kParts; ++i) {
        const Lanes own = lanes(z + kSide * rows[e] + kLanes * i);
        for (int c = 0; c < Taken; ++c) sum[c] += lanes(L + kSide * c + kLanes * i) * own;
      }
    for (int c = 0; c < Taken; ++c) x[c] -= (sum[c][0] + sum[c][1]) + (sum[c][2] + sum[c][3]);
  }
};

template <typename K>
constexpr BlockKernels kKernels{K::subtract, K::set, K::down, K::up};
template <typename K>
constexpr BlockKernels kWideKernels{K::subtract_wide, K::set_wide, K::down, K::up};

constexpr int kSideInverted = block_side(kInverted), kPartsInverted = kSideInverted / kLanes;

using LaneMask = long long __attribute__((vector_size(32)));

// Replaces a number of x, without a way through memory that waits for itself.
PEQUOD_INLINE void put(double value, int lane, Lanes& x) {
  const LaneMask at = LaneMask{0, 1, 2, 3} == (LaneMask{} + lane);
  x = at ? Lanes{value, value, value, value} : x;
}

PEQUOD_INLINE void eliminate_block(double* A) {
  Lanes column[kInverted][kPartsInverted];
  for (int j = 0; j < kInverted; ++j)
    for (int i = 0; i < kPartsInverted; ++i)
      column[j][i] = lanes(A + kSideInverted * j + kLanes * i);
#pragma GCC unroll 6
  for (int k = 0; k < kInverted; ++k) {
    const int part = k / kLanes, lane = k % kLanes;
    const double pivot = 1.0 / column[k][part][lane];
#pragma GCC unroll 6
    for (int j = 0; j < kInverted; ++j) {
      if (j == k) continue;
      const double share = pivot * column[j][part][lane];
      for (int i = 0; i < kPartsInverted; ++i) column[j][i] -= share * column[k][i];
      put(share, lane, column[j][part]);
    }
    for (int i = 0; i < kPartsInverted; ++i) column[k][i] *= -pivot;
    put(pivot, lane, column[k][part]);
  }
  for (int j = 0; j < kInverted; ++j)
    for (int i = 0; i < kPartsInverted; ++i)
      lanes(A + kSideInverted * j + kLanes * i) = column[j][i];
}

}  // namespace

const BlockKernels& block_kernels(BlockKind kind) {
  using Six = Kernels<6, 6>;  // of eight rows, one wide lane
  if (kind == BlockKind::six) return has_wide_lanes() ? kWideKernels<Six> : kKernels<Six>;
  if (kind == BlockKind::nine_of_twelve) return kKernels<Kernels<12, 9>>;
  return kKernels<Kernels<12, 12>>;
}

PEQUOD_TWICE void invert_block(double* A) { eliminate_block(A); }

}  // namespace pequod
