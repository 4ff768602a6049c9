#include "core/sine_cosine.h"

#include <array>
#include <cmath>
#include <cstdint>

#include "core/clones.h"

namespace pequod {
namespace {

constexpr double kLargest = 1e5;  // rad
// π/2 = kFirst + kSecond + kThird; the first two have 33 bits, n below 2²⁰ has the other twenty.
constexpr double kFirst = 0x1.921fb544p+0, kSecond = 0x1.0b4611a6p-34,
                 kThird = 0x1.3198a2e037073p-69;
constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
constexpr double kRound = 0x1.8p52;  // x + kRound − kRound is the nearest integer

// (−1)ᵏ First! / (First + 2k)!
template <int First>
constexpr std::array<double, 8> coefficients() {
  std::array<double, 8> result{1.0};
  for (std::size_t k = 1; k < result.size(); ++k) {
    const int n = First + 2 * static_cast<int>(k);
    result[k] = -result[k - 1] / (n * (n - 1));
  }
  return result;
}

// Real: of one number, or of four abreast.

// Σ cₖ zᵏ, in halves side by side, so that the terms do not wait in a row.
template <int First, typename Real>
inline void series(const Real& z, Real& sum) {
  constexpr std::array<double, 8> c = coefficients<First>();
  const Real zz = z * z;
  const Real even = c[0] + zz * (c[2] + zz * (c[4] + zz * c[6]));
  const Real odd = c[1] + zz * (c[3] + zz * (c[5] + zz * c[7]));
  sum = even + z * odd;
}

// For |r| ≤ π/4 + rounding, r + rest.
template <typename Real>
inline void near_zero(const Real& r, const Real& rest, Real& sine, Real& cosine) {
  const Real z = r * r;
  const Real half = 0.5 * z, rough = 1.0 - half;
  Real of_sine, of_cosine;
  series<3>(z, of_sine);
  series<4>(z, of_cosine);
  sine = r + (r * z * of_sine * (-1.0 / 6.0) + rest * (1.0 - half));
  cosine = rough + (((1.0 - rough) - half) + (z * z * of_cosine * (1.0 / 24.0) - r * rest));
}

// x = n π/2 + r, and what r gives.
template <typename Real>
inline void reduce(const Real& x, Real& n, Real& sine, Real& cosine) {
  n = (x * kTwoOverPi + kRound) - kRound;
  const Real first = x - n * kFirst;
  const Real second = n * kSecond;
  const Real high = first - second;
  const Real low = ((first - high) - second) - n * kThird;
  const Real r = high + low;
  const Real rest = low - (r - high);
  near_zero(r, rest, sine, cosine);
}

// Whole numbers beside the numbers of FourLanes.
using FourWhole = std::int64_t __attribute__((vector_size(32), aligned(8), may_alias));
FourWhole& bits_of(FourLanes& x) { return reinterpret_cast<FourWhole&>(x); }

// quarter() of four. The last bits of n + kRound are those of n.
void turn_by_quarters(FourLanes n, FourLanes sine, FourLanes cosine, SineCosine* out) {
  n += kRound;
  const FourWhole quarters = bits_of(n), odd = -(quarters & 1);
  const FourWhole s = bits_of(sine), c = bits_of(cosine), both = (s ^ c) & odd;
  bits_of(sine) = (s ^ both) ^ ((quarters & 2) << 62);
  bits_of(cosine) = (c ^ both) ^ (((quarters + 1) & 2) << 62);
  FourLanes* const pairs = reinterpret_cast<FourLanes*>(out);
  const FourLanes low = __builtin_shufflevector(sine, cosine, 0, 4, 2, 6);
  const FourLanes high = __builtin_shufflevector(sine, cosine, 1, 5, 3, 7);
  pairs[0] = __builtin_shufflevector(low, high, 0, 1, 4, 5);
  pairs[1] = __builtin_shufflevector(low, high, 2, 3, 6, 7);
}

bool is_in_range(double x) { return std::abs(x) <= kLargest; }

SineCosine quarter(int n, double s, double c) {
  switch (n & 3) {
    case 0:
      return {s, c};
    case 1:
      return {c, -s};
    case 2:
      return {-s, -c};
    default:
      return {-c, s};
  }
}

}  // namespace

SineCosine sine_cosine(double x) {
  if (!is_in_range(x)) return {std::sin(x), std::cos(x)};
  double n = 0.0, sine = 0.0, cosine = 0.0;
  reduce(x, n, sine, cosine);
  return quarter(static_cast<int>(n), sine, cosine);
}

void four_sine_cosines(const double* x, SineCosine* out) {
  const FourLanes& angles = *reinterpret_cast<const FourLanes*>(x);
  FourLanes n, sine, cosine;
  reduce(angles, n, sine, cosine);
  if (is_in_range(x[0]) && is_in_range(x[1]) && is_in_range(x[2]) && is_in_range(x[3]))
    return turn_by_quarters(n, sine, cosine, out);
  for (int k = 0; k < 4; ++k) out[k] = sine_cosine(x[k]);
}

}  // namespace pequod
