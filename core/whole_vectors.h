// Vectors of three numbers, each in one register: of a body that is not abreast of others.
#pragma once

#include "core/held_lanes.h"

namespace pequod {

/// x, y and z, and whatever stands behind them.
using Whole = Held;

/// Of three numbers with one more behind them, whose value does not matter.
PEQUOD_INLINE Whole load_whole(const double* at) { return load(at); }
/// Of three numbers with one more before them.
PEQUOD_INLINE Whole load_behind(const double* at) {
  const Held all = load(at - 1);
  return __builtin_shufflevector(all, all, 1, 2, 3, 3);
}
/// Three numbers, and nothing behind them.
PEQUOD_INLINE void store_whole(const Whole& a, double* to) {
  using Pair = double __attribute__((vector_size(16), aligned(8), may_alias));
  *reinterpret_cast<Pair*>(to) = __builtin_shufflevector(a, a, 0, 1);
  to[2] = a[2];
}

PEQUOD_INLINE Whole cross(const Whole& a, const Whole& b) {
  const auto turned = [](const Whole& x) { return __builtin_shufflevector(x, x, 1, 2, 0, 3); };
  return turned(a * turned(b) - turned(a) * b);
}
PEQUOD_INLINE double dot(const Whole& a, const Whole& b) {
  const Whole products = a * b;
  return (products[0] + products[1]) + products[2];
}
/// The product of a matrix, by columns, with x; `x[i]` is its i-th number.
template <typename Vector>
PEQUOD_INLINE Whole times(const Whole* columns, const Vector& x) {
  return columns[0] * x[0] + columns[1] * x[1] + columns[2] * x[2];
}

/// A moment and a force, or ω and v, six numbers one behind the other.
struct Six {
  Held first;  ///< four
  double fifth, sixth;
};
PEQUOD_INLINE Six load_six(const double* at) { return {load(at), at[4], at[5]}; }
PEQUOD_INLINE Six six_of(const Whole& a, const Whole& b) {
  return {__builtin_shufflevector(a, b, 0, 1, 2, 4), b[1], b[2]};
}
PEQUOD_INLINE void store_six(const Six& x, double* to) {
  store(x.first, to);
  to[4] = x.fifth, to[5] = x.sixth;
}
PEQUOD_INLINE Six operator+(const Six& a, const Six& b) {
  return {a.first + b.first, a.fifth + b.fifth, a.sixth + b.sixth};
}
PEQUOD_INLINE double dot(const Six& a, const Six& b) {
  const Held products = a.first * b.first;
  return ((products[0] + products[1]) + products[2]) +
         ((products[3] + a.fifth * b.fifth) + a.sixth * b.sixth);
}

}  // namespace pequod
