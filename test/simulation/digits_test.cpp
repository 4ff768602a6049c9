#include "simulation/record/digits.h"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <string>

#include "test/support/random.h"

namespace pequod {
namespace {

std::string written(double x) {
  std::array<char, 32> text;
  return {text.data(), write_number(x, text.data())};
}

std::string by_library(double x) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), x,
                                     std::chars_format::general, kDigits)
                           .ptr};
}

}  // namespace

TEST_CASE("numbers are written as the library writes 17 digits") {
  Random random(7);
  int wrong = 0, unsure = 0;
  for (int i = 0; i < 200000; ++i) {
    const double share = random.uniform(-1.0, 1.0);
    const int power = static_cast<int>(random.uniform(-330.0, 308.0));
    for (const double x :
         {share, std::ldexp(share, static_cast<int>(random.uniform(-1080.0, 1023.0))),
          std::pow(10.0, power), std::nextafter(std::pow(10.0, power), 0.0), 1e-3 * i, 0.125 * i,
          static_cast<double>(i) * 1e12}) {
      wrong += written(x) != by_library(x);
      unsure += x != 0.0 && !decimal_of(std::abs(x));
    }
  }
  CHECK(wrong == 0);
  MESSAGE(unsure << " of 1.4 million were left to the library");
  for (const double x :
       {0.0, -0.0, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, -1.0 / 3.0, 1e16, 1e17,
        99999999999999999.0, 1e-4, 1e-5, 9.5, HUGE_VAL, -HUGE_VAL, std::nan("")})
    CHECK(written(x) == by_library(x));
}

}  // namespace pequod
