#include "contact/solvers/linear/block_kernels.h"

#include <cstddef>

#include "contact/solvers/linear/lanes.h"

namespace pequod {
namespace {

// Blocks of which only the first columns are taken, and as many rows.
template <int Width, int Taken>
struct Kernels {
  static constexpr int kSide = block_side(Width), kParts = kSide / kLanes;
  static constexpr int kColumns = 3;  // of C at a time in registers

  // @tparam Fresh  whatever C was
  template <bool Fresh>
  PEQUOD_INLINE static void sum_up(double* C, const BlockFactors* products, int count) {
    for (int j = 0; j < Taken; j += kColumns) {
      Lanes sum[kColumns][kParts] = {};
      for (int c = 0; c < kColumns && !Fresh; ++c)
        for (int i = 0; i < kParts; ++i) sum[c][i] = lanes(C + kSide * (j + c) + kLanes * i);
      for (int p = 0; p < count; ++p)
#pragma GCC unroll 1  // all at once would not leave the sums in registers
        for (int k = 0; k < Taken; ++k)
          for (int i = 0; i < kParts; ++i) {
            const Lanes a = lanes(products[p].A + kSide * k + kLanes * i);
            for (int c = 0; c < kColumns; ++c) sum[c][i] += a * products[p].B[kSide * k + j + c];
          }
      for (int c = 0; c < kColumns; ++c)
        for (int i = 0; i < kParts; ++i) lanes(C + kSide * (j + c) + kLanes * i) = sum[c][i];
    }
  }

  PEQUOD_TWICE static void add(double* C, const BlockFactors* products, int count) {
    sum_up<false>(C, products, count);
  }
  PEQUOD_TWICE static void set(double* C, const BlockFactors& product) {
    sum_up<true>(C, &product, 1);
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
constexpr BlockKernels kKernels{K::add, K::set, K::down, K::up};

}  // namespace

const BlockKernels& block_kernels(BlockKind kind) {
  if (kind == BlockKind::six) return kKernels<Kernels<6, 6>>;
  if (kind == BlockKind::nine_of_twelve) return kKernels<Kernels<12, 9>>;
  return kKernels<Kernels<12, 12>>;
}

}  // namespace pequod
