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
  template <bool Fresh = false>
  PEQUOD_INLINE static void add(double* C, const BlockFactors* products, int count) {
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

  PEQUOD_INLINE static void down(const double* L, const int* rows, int count, const double* x,
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

  PEQUOD_INLINE static void up(const double* L, const int* rows, int count, const double* z,
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

// Of any processor, and of those that have AVX2.
template <typename K>
void add_plain(double* C, const BlockFactors* products, int count) {
  K::add(C, products, count);
}
template <typename K>
void set_plain(double* C, const BlockFactors& product) {
  K::template add<true>(C, &product, 1);
}
template <typename K>
void down_plain(const double* L, const int* rows, int count, const double* x, double* z) {
  K::down(L, rows, count, x, z);
}
template <typename K>
void up_plain(const double* L, const int* rows, int count, const double* z, double* x) {
  K::up(L, rows, count, z, x);
}

template <typename K>
PEQUOD_AVX2 void add_avx2(double* C, const BlockFactors* products, int count) {
  K::add(C, products, count);
}
template <typename K>
PEQUOD_AVX2 void set_avx2(double* C, const BlockFactors& product) {
  K::template add<true>(C, &product, 1);
}
template <typename K>
PEQUOD_AVX2 void down_avx2(const double* L, const int* rows, int count, const double* x,
                           double* z) {
  K::down(L, rows, count, x, z);
}
template <typename K>
PEQUOD_AVX2 void up_avx2(const double* L, const int* rows, int count, const double* z, double* x) {
  K::up(L, rows, count, z, x);
}

template <typename K>
constexpr BlockKernels kPlain{add_plain<K>, set_plain<K>, down_plain<K>, up_plain<K>};
template <typename K>
constexpr BlockKernels kAvx2{add_avx2<K>, set_avx2<K>, down_avx2<K>, up_avx2<K>};

template <typename K>
const BlockKernels& fastest() {
  return has_avx2() ? kAvx2<K> : kPlain<K>;
}

}  // namespace

const BlockKernels& block_kernels(BlockKind kind) {
  if (kind == BlockKind::six) return fastest<Kernels<6, 6>>();
  if (kind == BlockKind::nine_of_twelve) return fastest<Kernels<12, 9>>();
  return fastest<Kernels<12, 12>>();
}

}  // namespace pequod
