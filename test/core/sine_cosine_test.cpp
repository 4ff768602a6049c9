#include "core/sine_cosine.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <random>

namespace pequod {
namespace {

// Against long double, of 64 bits: its own error is below 1e-19.
double worst_error(double size, int count) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(-size, size);
  double worst = 0.0;
  for (int i = 0; i < count; ++i) {
    const double x = uniform(random);
    const auto [s, c] = sine_cosine(x);
    const auto exact = static_cast<long double>(x);
    worst = std::max(worst, static_cast<double>(std::abs(s - std::sin(exact))));
    worst = std::max(worst, static_cast<double>(std::abs(c - std::cos(exact))));
  }
  return worst;
}

// Two units of the last place of 1 are 2.2e-16.
TEST_CASE("sine and cosine together are right to the last place but one") {
  for (const double size : {1e-9, 1e-3, 0.8, 3.2, 50.0, 1e3, 1e5})
    CHECK(worst_error(size, 20000) <= 2.3e-16);
}

TEST_CASE("sine and cosine at the multiples of a right angle, where reduction loses digits") {
  for (int n = -40000; n <= 40000; ++n) {
    const double x = n * 1.57079632679489661923;
    const auto [s, c] = sine_cosine(x);
    const double small = n % 2 == 0 ? s : c;
    const auto exact = static_cast<long double>(x);
    const auto truth = static_cast<double>(n % 2 == 0 ? std::sin(exact) : std::cos(exact));
    REQUIRE(std::abs(small - truth) <= 1e-15 * std::abs(truth) + 1e-20);
  }
}

TEST_CASE("four sines and cosines side by side are those of each angle, to the bit") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-10.0, 10.0);
  for (int i = 0; i < 1000; ++i) {
    std::array<double, 4> x{};
    for (double& one : x) one = uniform(random);
    if (i % 10 == 0) nth(x, i / 10 % 4) = 3e7;
    std::array<SineCosine, 4> found{};
    four_sine_cosines(x.data(), found.data());
    for (std::size_t k = 0; k < 4; ++k) {
      const SineCosine alone = sine_cosine(x[k]);
      REQUIRE(found[k].sine == alone.sine);
      REQUIRE(found[k].cosine == alone.cosine);
    }
  }
}

TEST_CASE("sine and cosine of what is out of range or not a number") {
  CHECK(sine_cosine(3e7).sine == std::sin(3e7));
  CHECK(sine_cosine(0.0).sine == 0.0);
  CHECK(sine_cosine(0.0).cosine == 1.0);
  CHECK(std::isnan(sine_cosine(std::nan("")).cosine));
}

}  // namespace
}  // namespace pequod
