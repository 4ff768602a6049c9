#include "core/sine_cosine.h"

#include <array>
#include <cmath>

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

// Σ cₖ zᵏ, in halves side by side, so that the terms do not wait in a row.
template <int First>
double series(double z) {
  constexpr std::array<double, 8> c = coefficients<First>();
  const double zz = z * z;
  const double even = c[0] + zz * (c[2] + zz * (c[4] + zz * c[6]));
  const double odd = c[1] + zz * (c[3] + zz * (c[5] + zz * c[7]));
  return even + z * odd;
}

// For |r| ≤ π/4 + rounding, r + rest.
SineCosine near_zero(double r, double rest) {
  const double z = r * r;
  const double half = 0.5 * z, rough = 1.0 - half;
  const double sine = r + (r * z * series<3>(z) * (-1.0 / 6.0) + rest * (1.0 - half));
  const double cosine =
      rough + (((1.0 - rough) - half) + (z * z * series<4>(z) * (1.0 / 24.0) - r * rest));
  return {sine, cosine};
}

}  // namespace

SineCosine sine_cosine(double x) {
  if (!(std::abs(x) <= kLargest)) return {std::sin(x), std::cos(x)};
  const double n = (x * kTwoOverPi + kRound) - kRound;
  const double first = x - n * kFirst;
  const double second = n * kSecond;
  const double high = first - second;
  const double low = ((first - high) - second) - n * kThird;
  const double r = high + low;
  const auto [s, c] = near_zero(r, low - (r - high));
  switch (static_cast<int>(n) & 3) {
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

}  // namespace pequod
