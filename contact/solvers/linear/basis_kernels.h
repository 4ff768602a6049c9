// Products with the columns of an orthonormal basis, as fast as the processor at hand allows.
#pragma once

#include <cstddef>

#include "contact/solvers/linear/lanes.h"

namespace pequod {

/// Numbers in which a column of m coordinates is kept: those added are zeros.
constexpr std::ptrdiff_t padded(std::ptrdiff_t m) { return (m + kLanes - 1) / kLanes * kLanes; }

/// Columns of a basis, padded, one beside the other.
struct BasisColumns {
  const double* first;
  std::ptrdiff_t stride;  ///< from one to the next
  std::ptrdiff_t count;
  std::ptrdiff_t size;  ///< of each, padded
};

/// On vectors that are padded as the columns are. Sums run over four lanes, whatever the processor
/// has: the same bits on each.
struct BasisKernels {
  /// One pass of Gram–Schmidt: y ← y − q (qᵀy) for one column after the other; r ← r + what each
  /// took. @return yᵀy of what is left
  double (*take_off)(const BasisColumns& Q, double* y, double* r);
  /// out ← Qᵀ y; y stays as it is
  void (*measure)(const BasisColumns& Q, double* y, double* out);
  /// y ← y + Q w
  void (*add)(const BasisColumns& Q, const double* w, double* y);
};

/// Those for columns of this size, padded.
[[nodiscard]] const BasisKernels& basis_kernels(std::ptrdiff_t size);

/// A padded copy of x with room for as many numbers behind it; the next call takes it away.
[[nodiscard]] double* padded_copy(const double* x, std::ptrdiff_t size, std::ptrdiff_t room = 0);

}  // namespace pequod
