#include "contact/solvers/friction/block_kernels.h"

#include <cstddef>

namespace pequod {
namespace {

// Four doubles, which a processor before 2013 takes two by two.
using Lanes = double __attribute__((vector_size(32), aligned(8), may_alias));
constexpr int kLanes = 4, kParts = kBlockSide / kLanes;

#define PEQUOD_INLINE inline __attribute__((always_inline))

PEQUOD_INLINE Lanes& lanes(double* at) { return *reinterpret_cast<Lanes*>(at); }
PEQUOD_INLINE const Lanes& lanes(const double* at) { return *reinterpret_cast<const Lanes*>(at); }

// Three columns of C at a time in registers.
template <int Wide>
PEQUOD_INLINE void add(double* C, const BlockFactors* products, int count) {
  constexpr int kColumns = 3;
  for (int j = 0; j < Wide; j += kColumns) {
    Lanes sum[kColumns][kParts];
    for (int c = 0; c < kColumns; ++c)
      for (int i = 0; i < kParts; ++i) sum[c][i] = lanes(C + kBlockSide * (j + c) + kLanes * i);
    for (int p = 0; p < count; ++p)
      for (int k = 0; k < Wide; ++k)
        for (int i = 0; i < kParts; ++i) {
          const Lanes a = lanes(products[p].A + kBlockSide * k + kLanes * i);
          for (int c = 0; c < kColumns; ++c) sum[c][i] += a * products[p].B[kBlockSide * k + j + c];
        }
    for (int c = 0; c < kColumns; ++c)
      for (int i = 0; i < kParts; ++i) lanes(C + kBlockSide * (j + c) + kLanes * i) = sum[c][i];
  }
}

template <int Wide>
PEQUOD_INLINE void down(const double* L, const int* rows, int count, const double* x, double* z) {
  for (int e = 0; e < count; ++e, L += kBlockSide * kBlockSide) {
    double* to = z + static_cast<std::ptrdiff_t>(kBlockSide) * rows[e];
    for (int i = 0; i < kParts; ++i) {
      Lanes sum = lanes(to + kLanes * i);
      for (int c = 0; c < Wide; ++c) sum -= lanes(L + kBlockSide * c + kLanes * i) * x[c];
      lanes(to + kLanes * i) = sum;
    }
  }
}

template <int Wide>
PEQUOD_INLINE void up(const double* L, const int* rows, int count, const double* z, double* x) {
  Lanes sum[Wide] = {};
  for (int e = 0; e < count; ++e, L += kBlockSide * kBlockSide)
    for (int i = 0; i < kParts; ++i) {
      const Lanes own = lanes(z + static_cast<std::ptrdiff_t>(kBlockSide) * rows[e] + kLanes * i);
      for (int c = 0; c < Wide; ++c) sum[c] += lanes(L + kBlockSide * c + kLanes * i) * own;
    }
  for (int c = 0; c < Wide; ++c) x[c] -= (sum[c][0] + sum[c][1]) + (sum[c][2] + sum[c][3]);
}

// Of any processor, and of those that have AVX2.
template <int Wide>
void add_plain(double* C, const BlockFactors* products, int count) {
  add<Wide>(C, products, count);
}
template <int Wide>
void down_plain(const double* L, const int* rows, int count, const double* x, double* z) {
  down<Wide>(L, rows, count, x, z);
}
template <int Wide>
void up_plain(const double* L, const int* rows, int count, const double* z, double* x) {
  up<Wide>(L, rows, count, z, x);
}

#define PEQUOD_AVX2 __attribute__((target("avx2")))

template <int Wide>
PEQUOD_AVX2 void add_avx2(double* C, const BlockFactors* products, int count) {
  add<Wide>(C, products, count);
}
template <int Wide>
PEQUOD_AVX2 void down_avx2(const double* L, const int* rows, int count, const double* x,
                           double* z) {
  down<Wide>(L, rows, count, x, z);
}
template <int Wide>
PEQUOD_AVX2 void up_avx2(const double* L, const int* rows, int count, const double* z, double* x) {
  up<Wide>(L, rows, count, z, x);
}

template <int Wide>
constexpr BlockKernels kPlain{add_plain<Wide>, down_plain<Wide>, up_plain<Wide>};
template <int Wide>
constexpr BlockKernels kAvx2{add_avx2<Wide>, down_avx2<Wide>, up_avx2<Wide>};

}  // namespace

const BlockKernels& block_kernels(bool narrow) {
  constexpr int kNarrow = 9;
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  if (has_avx2) return narrow ? kAvx2<kNarrow> : kAvx2<kBlockSide>;
  return narrow ? kPlain<kNarrow> : kPlain<kBlockSide>;
}

}  // namespace pequod
