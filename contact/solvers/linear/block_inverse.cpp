#include "contact/solvers/linear/block_inverse.h"

#include "contact/solvers/linear/lanes.h"

namespace pequod {
namespace {

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

PEQUOD_TWICE void invert_block(double* A) { eliminate_block(A); }

}  // namespace pequod
