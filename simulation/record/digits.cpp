#include "simulation/record/digits.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>

namespace pequod {
namespace {

__extension__ using Wide = unsigned __int128;

// Powers of ten that 17 digits of a double ask for: from 1.8e308 to 4.9e-324.
constexpr int kLeastPower = -292, kMostPower = 340;

// ⌊log₂ 10^k⌋ and ⌊log₁₀ 2^b⌋, exact in these ranges.
constexpr int log2_of_power(int k) { return (k * 217706) >> 16; }
constexpr int log10_of_two(int b) { return (b * 78913) >> 18; }

struct Power {
  std::uint64_t high, low;
};

// 10^k / 2^(⌊log₂ 10^k⌋ − 127), less an error of 2^12 at most that steps from one to the next
// leave.
constexpr auto make_powers() {
  std::array<Power, kMostPower - kLeastPower + 1> powers{};
  const auto put = [&](int k, Wide x) {
    nth(powers, k - kLeastPower) = {static_cast<std::uint64_t>(x >> 64),
                                    static_cast<std::uint64_t>(x)};
  };
  const auto normal = [](Wide x) { return (x >> 127) != 0; };
  Wide x = Wide{1} << 127;
  for (int k = 0; k <= kMostPower; ++k) {
    put(k, x);
    x = (x >> 1) + (x >> 3);
    if (!normal(x)) x <<= 1;
  }
  x = Wide{1} << 127;
  for (int k = -1; k >= kLeastPower; --k) {
    x /= 10;
    while (!normal(x)) x <<= 1;
    put(k, x);
  }
  return powers;
}

constexpr auto kPowers = make_powers();

// Of x · 10^k = m 2^e · 10^k: the whole part, and what is behind it in units of 2^−64.
struct Scaled {
  std::uint64_t whole, fraction;
};

Scaled scale(std::uint64_t m, int e, int k) {
  const Power& power = nth(kPowers, k - kLeastPower);
  const Wide high = Wide{m} * power.high + ((Wide{m} * power.low) >> 64);
  const int shift = -(e + log2_of_power(k) - 127 + 128);  // of the upper half of m · power
  const auto top = static_cast<std::uint64_t>(high >> 64), rest = static_cast<std::uint64_t>(high);
  return {top >> shift, (top << (64 - shift)) | (rest >> shift)};
}

constexpr std::uint64_t kTenTo16 = 10'000'000'000'000'000, kTenTo17 = 10 * kTenTo16;

constexpr auto make_pairs() {
  std::array<std::array<char, 2>, 100> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i)
    pairs[i] = {static_cast<char>('0' + i / 10), static_cast<char>('0' + i % 10)};
  return pairs;
}

constexpr auto kPairs = make_pairs();

// 8 digits.
char* put_eight(std::uint32_t x, char* to) {
  for (int i = 6; i >= 0; i -= 2, x /= 100) {
    const std::array<char, 2>& pair = kPairs[x % 100];
    to[i] = pair[0], to[i + 1] = pair[1];
  }
  return to + 8;
}

// Behind the last digit that is not zero.
char* without_zeros(char* first, char* last) {
  while (last > first && last[-1] == '0') --last;
  return last;
}

char* put_exponent(int exponent, char* to) {
  *to++ = 'e';
  *to++ = exponent < 0 ? '-' : '+';
  const int size = std::abs(exponent);
  if (size >= 100) *to++ = static_cast<char>('0' + size / 100);
  *to++ = static_cast<char>('0' + size / 10 % 10);
  *to++ = static_cast<char>('0' + size % 10);
  return to;
}

char* put_decimal(const Decimal& x, char* to) {
  std::array<char, kDigits> digits;
  digits[0] = static_cast<char>('0' + x.significand / kTenTo16);
  const std::uint64_t rest = x.significand % kTenTo16;
  char* const middle = put_eight(static_cast<std::uint32_t>(rest / 100'000'000), &digits[1]);
  put_eight(static_cast<std::uint32_t>(rest % 100'000'000), middle);
  char* const end = without_zeros(digits.data() + 1, digits.data() + kDigits);
  const auto count = end - digits.data();
  const bool fixed = x.exponent >= -4 && x.exponent < kDigits;
  if (fixed && x.exponent < 0) {
    *to++ = '0', *to++ = '.';
    to = std::fill_n(to, -x.exponent - 1, '0');
    return std::copy(digits.data(), end, to);
  }
  const std::ptrdiff_t whole = fixed ? x.exponent + 1 : 1;
  to = std::copy_n(digits.data(), std::min(whole, count), to);
  if (whole > count) to = std::fill_n(to, whole - count, '0');
  if (count > whole) {
    *to++ = '.';
    to = std::copy(digits.data() + whole, end, to);
  }
  return fixed ? to : put_exponent(x.exponent, to);
}

}  // namespace

std::optional<Decimal> decimal_of(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const auto biased = static_cast<int>(bits >> 52);
  std::uint64_t m = bits & ((std::uint64_t{1} << 52) - 1);
  int e = -1074;
  if (biased > 0) m |= std::uint64_t{1} << 52, e = biased - 1075;
  const int zeros = std::countl_zero(m);
  m <<= zeros;
  e -= zeros;
  int exponent = log10_of_two(e + 63);
  Scaled scaled = scale(m, e, kDigits - 1 - exponent);
  if (scaled.whole >= kTenTo17) scaled = scale(m, e, kDigits - 1 - ++exponent);
  // The error of the power, and of what is left out below, in units of the fraction: far less.
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 63, kUnsure = std::uint64_t{1} << 20;
  if (scaled.fraction - (kHalf - kUnsure) < 2 * kUnsure) return std::nullopt;
  const std::uint64_t nearest = scaled.whole + (scaled.fraction >> 63);
  if (nearest == kTenTo17) return Decimal{kTenTo16, exponent + 1};
  return Decimal{nearest, exponent};
}

char* write_number(double x, char* to) {
  if (std::signbit(x)) *to++ = '-', x = -x;
  if (x == 0.0) {
    *to++ = '0';
    return to;
  }
  if (std::isfinite(x))
    if (const std::optional<Decimal> decimal = decimal_of(x)) return put_decimal(*decimal, to);
  return std::to_chars(to, to + 24, x, std::chars_format::general, kDigits).ptr;
}

}  // namespace pequod
