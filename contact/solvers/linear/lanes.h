// Loops over doubles in vectors of four, compiled twice: for any processor, and for those that have
// AVX2. Each lane has the same operations in the same order, so the bits are the same.
#pragma once

namespace pequod {

/// Four doubles, which a processor before 2013 takes two by two.
using Lanes = double __attribute__((vector_size(32), aligned(8), may_alias));
inline constexpr int kLanes = 4;
/// Eight, a register of those that have AVX-512.
using WideLanes = double __attribute__((vector_size(64), aligned(8), may_alias));

/// For what both are compiled from.
#define PEQUOD_INLINE inline __attribute__((always_inline))

/// Before a function that is worth it: compiled twice, with whatever it calls inside of it, the
/// bits the same (as core's PEQUOD_CLONES, which these rooms do not see). Not where sanitizers are,
/// which are not there yet when the loader chooses one, nor for clang 14, which does not know it.
#if defined(__clang__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PEQUOD_TWICE
#define PEQUOD_WIDE
inline bool has_wide_lanes() { return false; }
#else
#define PEQUOD_TWICE __attribute__((target_clones("avx2", "default"), flatten))
/// Before a function in WideLanes, for callers to choose where has_wide_lanes(): compiled for
/// processors without, these would go through memory.
#define PEQUOD_WIDE __attribute__((target("avx512f"), flatten))
inline bool has_wide_lanes() { return __builtin_cpu_supports("avx512f") != 0; }
#endif

/// Four doubles in a register: kept as Lanes, which may lie anywhere, they would go through memory.
using HeldLanes = double __attribute__((vector_size(32)));
PEQUOD_INLINE double sum_of_lanes(const HeldLanes& x) { return (x[0] + x[2]) + (x[1] + x[3]); }

template <typename L>
PEQUOD_INLINE L& lanes_at(double* at) {
  return *reinterpret_cast<L*>(at);
}
template <typename L>
PEQUOD_INLINE const L& lanes_at(const double* at) {
  return *reinterpret_cast<const L*>(at);
}
PEQUOD_INLINE Lanes& lanes(double* at) { return *reinterpret_cast<Lanes*>(at); }
PEQUOD_INLINE const Lanes& lanes(const double* at) { return *reinterpret_cast<const Lanes*>(at); }

}  // namespace pequod
