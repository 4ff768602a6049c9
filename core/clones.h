// Functions that are compiled twice.
#pragma once

/// Before a function that is worth it: compiled, with whatever it calls inside of it, for any
/// processor and for those that have AVX2, which need fewer instructions. The order of operations
/// and hence the bits are the same. Not where sanitizers are, which are not there yet when the
/// loader chooses one, nor for clang 14, which does not know it.
#if defined(__clang__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PEQUOD_CLONES
#else
#define PEQUOD_CLONES __attribute__((target_clones("avx2", "default"), flatten))
#endif

namespace pequod {

/// Four doubles, which a processor before 2013 takes two by two.
using FourLanes = double __attribute__((vector_size(32), aligned(8), may_alias));

}  // namespace pequod
