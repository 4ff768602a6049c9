// The decimal digits of a double, fast: logs are made of them.
#pragma once

#include <cstdint>
#include <optional>

namespace pequod {

inline constexpr int kDigits = 17;  ///< that tell a double from all others

/// x = significand · 10^(exponent − 16), as near as 17 digits come.
struct Decimal {
  std::uint64_t significand = 0;  ///< of 17 digits
  int exponent = 0;               ///< of the first digit
};

/// @param x  positive and finite
/// @return   nothing where 128 bits do not tell which of two numbers of 17 digits is nearer
[[nodiscard]] std::optional<Decimal> decimal_of(double x);

/// Writes x as std::to_chars does with 17 digits in general format. @param to  has room for 24
/// @return behind the last character
[[nodiscard]] char* write_number(double x, char* to);

}  // namespace pequod
