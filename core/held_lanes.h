// Four numbers abreast in registers, one of each of four bodies that are treated alike.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>

#include "core/clones.h"

namespace pequod {

/// In registers, unlike FourLanes, which may lie anywhere. Passed between functions that are
/// inlined, and only these.
using Held = double __attribute__((vector_size(32)));
#define PEQUOD_INLINE inline __attribute__((always_inline))

/// A vector of each.
struct HeldVector {
  Held x, y, z;
};

PEQUOD_INLINE Held all_alike(double x) { return Held{x, x, x, x}; }
PEQUOD_INLINE HeldVector all_alike(const Eigen::Vector3d& a) {
  return {all_alike(a.x()), all_alike(a.y()), all_alike(a.z())};
}
PEQUOD_INLINE double sum_of(const Held& x) { return (x[0] + x[2]) + (x[1] + x[3]); }

PEQUOD_INLINE HeldVector operator+(const HeldVector& a, const HeldVector& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
PEQUOD_INLINE HeldVector operator-(const HeldVector& a, const HeldVector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
PEQUOD_INLINE HeldVector operator*(const Held& s, const HeldVector& a) {
  return {s * a.x, s * a.y, s * a.z};
}
PEQUOD_INLINE Held dot(const HeldVector& a, const HeldVector& b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
PEQUOD_INLINE HeldVector cross(const HeldVector& a, const HeldVector& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

PEQUOD_INLINE Held load(const double* at) { return *reinterpret_cast<const FourLanes*>(at); }
PEQUOD_INLINE void store(const Held& x, double* at) { *reinterpret_cast<FourLanes*>(at) = x; }

/// Rows and columns change places.
PEQUOD_INLINE void transpose(Held& a, Held& b, Held& c, Held& d) {
  const Held ab = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  const Held ba = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Held cd = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  const Held dc = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
  b = __builtin_shufflevector(ba, dc, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
  d = __builtin_shufflevector(ba, dc, 2, 3, 6, 7);
}

/// Four places, found once: the compiler does not know that what is stored at one of them moves
/// none of the others.
template <typename Place>
PEQUOD_INLINE auto four_places(const Place& at) {
  return std::array{at(0), at(1), at(2), at(3)};
}
/// So many numbers behind each.
template <typename Number>
PEQUOD_INLINE auto behind(const std::array<Number*, 4>& places, int numbers) {
  return [&places, numbers](int lane) { return places[static_cast<std::size_t>(lane)] + numbers; };
}

/// Four numbers that stand one behind the other at each of four places.
template <typename Place>
PEQUOD_INLINE void load_four(const Place& at, Held& a, Held& b, Held& c, Held& d) {
  a = load(at(0)), b = load(at(1)), c = load(at(2)), d = load(at(3));
  transpose(a, b, c, d);
}
template <typename Place>
PEQUOD_INLINE void store_four(Held a, Held b, Held c, Held d, const Place& at) {
  transpose(a, b, c, d);
  store(a, at(0)), store(b, at(1)), store(c, at(2)), store(d, at(3));
}
/// One number at each.
template <typename Place>
PEQUOD_INLINE Held load_one(const Place& at) {
  const Held x = {*at(0), *at(1), *at(2), *at(3)};
  return x;
}
template <typename Place>
PEQUOD_INLINE void store_one(const Held& x, const Place& at) {
  for (int k = 0; k < 4; ++k) *at(k) = x[k];
}

}  // namespace pequod
