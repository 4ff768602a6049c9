#include "contact/solvers/linear/basis_kernels.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace pequod {
namespace {

// Up to so many lanes a vector stays in registers while it meets one column after the other.
constexpr int kMostFixed = 12;

// Vectors of N times four; N = 0: of any length, in memory.
template <int N>
struct LaneBasis {
  static constexpr int kHeld = std::max(N, 1);

  PEQUOD_INLINE static int lanes_of(const BasisColumns& Q) {
    return N > 0 ? N : static_cast<int>(Q.size / kLanes);
  }

  template <typename Vector>
  PEQUOD_INLINE static double product(const double* q, const Vector* y, int n) {
    HeldLanes sum = lanes(q) * y[0];
    for (int i = 1; i < n; ++i) sum += lanes(q + kLanes * i) * y[i];
    return sum_of_lanes(sum);
  }

  // In registers if they are few, or where they are.
  PEQUOD_INLINE static auto* take_up(double* at, HeldLanes* held) {
    if constexpr (N == 0) {
      return &lanes(at);
    } else {
#pragma GCC unroll 12  // a loop would become a copy from memory to memory
      for (int i = 0; i < N; ++i) held[i] = lanes(at + kLanes * i);
      return held;
    }
  }
  PEQUOD_INLINE static void put_down(const HeldLanes* held, double* at) {
#pragma GCC unroll 12
    for (int i = 0; i < N; ++i) lanes(at + kLanes * i) = held[i];
  }

  PEQUOD_TWICE static double take_off(const BasisColumns& Q, double* at, double* r) {
    const int n = lanes_of(Q);
    HeldLanes held[kHeld];
    auto* const y = take_up(at, held);
    const double* q = Q.first;
    for (std::ptrdiff_t k = 0; k < Q.count; ++k, q += Q.stride) {
      const double d = product(q, y, n);
      r[k] += d;
      for (int i = 0; i < n; ++i) y[i] -= d * lanes(q + kLanes * i);
    }
    HeldLanes square{};
    for (int i = 0; i < n; ++i) square += y[i] * y[i];
    put_down(held, at);
    return sum_of_lanes(square);
  }

  PEQUOD_TWICE static void measure(const BasisColumns& Q, double* at, double* out) {
    const int n = lanes_of(Q);
    HeldLanes held[kHeld];
    const auto* const y = take_up(at, held);
    const double* q = Q.first;
    for (std::ptrdiff_t k = 0; k < Q.count; ++k, q += Q.stride) out[k] = product(q, y, n);
  }

  PEQUOD_TWICE static void add(const BasisColumns& Q, const double* w, double* at) {
    const int n = lanes_of(Q);
    HeldLanes held[kHeld];
    auto* const y = take_up(at, held);
    const double* q = Q.first;
    for (std::ptrdiff_t k = 0; k < Q.count; ++k, q += Q.stride)
      for (int i = 0; i < n; ++i) y[i] += w[k] * lanes(q + kLanes * i);
    put_down(held, at);
  }
};

using BasisTable = std::array<BasisKernels, kMostFixed + 1>;

template <std::size_t... N>
constexpr BasisTable table_of(std::index_sequence<N...> /*lanes*/) {
  return {BasisKernels{LaneBasis<static_cast<int>(N)>::take_off,
                       LaneBasis<static_cast<int>(N)>::measure,
                       LaneBasis<static_cast<int>(N)>::add}...};
}

constexpr BasisTable kBasis = table_of(std::make_index_sequence<kMostFixed + 1>{});

}  // namespace

const BasisKernels& basis_kernels(std::ptrdiff_t size) {
  const std::ptrdiff_t n = size / kLanes;
  return kBasis[n <= kMostFixed ? n : 0];
}

double* padded_copy(const double* x, std::ptrdiff_t size, std::ptrdiff_t room) {
  thread_local std::vector<double> storage;  // workspace only
  const std::ptrdiff_t whole = padded(size);
  storage.resize(std::max(storage.size(), static_cast<std::size_t>(whole + room)));
  std::fill_n(std::copy_n(x, size, storage.data()), whole - size, 0.0);
  return storage.data();
}

}  // namespace pequod
