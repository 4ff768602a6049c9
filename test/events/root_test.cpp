#include "events/root.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace pequod {
namespace {

// A gap of a metre's fall: 1 − 3 t − 4.9 t² + 0.2 t³.
struct Fall {
  int evaluations = 0;
  double slope_error = 0.0;  ///< relative
  Sloped operator()(double t) {
    ++evaluations;
    const double slope = -3.0 - 9.8 * t + 0.6 * t * t;
    return {1.0 + t * (-3.0 + t * (-4.9 + 0.2 * t)) + 1e-3 * std::sin(9.0 * t),
            (1.0 + slope_error) * (slope + 9e-3 * std::cos(9.0 * t))};
  }
};

double root(Fall& fall, double b) {
  const Sloped at_0 = fall(0.0), at_b = fall(b);
  fall.evaluations = 0;
  return find_root([&](double t) { return fall(t); }, 0.0, at_0, b, at_b);
}

TEST_CASE("a root with slopes is found to rounding in a few evaluations") {
  for (const double b : {0.3, 0.5, 2.0}) {
    Fall fall;
    const double t = root(fall, b);
    CHECK(std::abs(fall(t).value) <= 1e-14);
    CHECK(fall.evaluations <= 6);
  }
}

TEST_CASE("wrong slopes cost evaluations, no precision") {
  for (const double error : {-0.9, -0.3, 0.5, 5.0, -2.0}) {
    Fall fall{0, error};
    CHECK(std::abs(fall(root(fall, 0.5)).value) <= 1e-14);
  }
}

TEST_CASE("roots with and without slopes agree") {
  Fall fall;
  const double with = root(fall, 0.5);
  const double without = find_root([&](double t) { return fall(t).value; }, 0.0, fall(0.0).value,
                                   0.5, fall(0.5).value);
  CHECK(with == doctest::Approx(without).epsilon(1e-14));
}

// A gap that closes at v₀ as the step begins, and by r = v + a τ + c τ² from then on, as impulses
// of a step act at once. Bisection is the second method.
TEST_CASE(
    "a gap that moves by the velocity of its end is found in a few evaluations by parabolas") {
  for (const double v : {-0.05, -3e-3, 5e-4})
    for (const double bend : {0.0, -0.3, 40.0}) {
      int evaluations = 0;
      const auto gap = [&](double t) {
        ++evaluations;
        return 2e-7 + t * (v + t * (-12.0 + t * bend));
      };
      double low = 0.0, high = 1e-3;
      while (high - low > 1e-16) (gap(0.5 * (low + high)) > 0.0 ? low : high) = 0.5 * (low + high);
      const double end = gap(1e-3);
      evaluations = 0;
      const double t = find_root_by_parabolas(gap, 0.0, 2e-7, 1e-3, end, {.reach = 1e-12});
      CHECK(evaluations <= (bend == 0.0 ? 2 : 4));
      CHECK(std::abs(t - low) <= 1.1e-12);
    }
}

TEST_CASE("where a function is no parabola, parabolas leave its root to other ways") {
  const auto jumps = [](double t) { return t < 0.125 ? 1.0 : -1.0 - t; };
  const double jump = find_root_by_parabolas(jumps, 0.0, 1.0, 1.0, -2.0);
  CHECK(jump == doctest::Approx(0.125).epsilon(1e-14));
  CHECK(jump < 0.125);
  const auto kinks = [](double t) { return t < 0.7 ? 1e-3 : 1e-3 - 5.0 * (t - 0.7); };
  CHECK(find_root_by_parabolas(kinks, 0.0, 1e-3, 1.0, kinks(1.0)) ==
        doctest::Approx(0.7002).epsilon(1e-12));
}

// f falls at 1 but for a jump by 0.5 at 0.2: where that is steeper than a hundred in a bracket, the
// bracket is narrower than 0.5/99.
TEST_CASE("of a function that jumps no more is asked than that it is positive before") {
  int evaluations = 0;
  const auto jumps = [&](double t) {
    ++evaluations;
    return 0.3 - t - (t < 0.2 ? 0.0 : 0.5);
  };
  for (const bool asked : {false, true}) {
    evaluations = 0;
    const double t = find_root_by_parabolas(
        jumps, 0.0, 0.3, 1.0, -1.2,
        {.steepest = asked ? 100.0 : std::numeric_limits<double>::infinity()});
    CHECK(t < 0.2);
    CHECK(t > 0.2 - (asked ? 0.5 / 99.0 : 1e-14));
    CHECK((evaluations <= 12) == asked);
  }
}

TEST_CASE(
    "a margin that is infinite before it is negative has a root, as has one that jumps at 0") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto jumps_late = [](double t) { return t < 0.125 ? kInfinity : -1.0 - t; };
  const double late = find_root(jumps_late, 0.0, kInfinity, 1.0, -2.0);
  CHECK(late == doctest::Approx(0.125).epsilon(1e-14));
  CHECK(late < 0.125);
  const double at_once = find_root([](double) { return -18372.9; }, 0.0, 4e-8, 0.002, -18372.9);
  CHECK(at_once >= 0.0);
  CHECK(at_once <= 1e-22);
}

// exp(−t) − ½ over [0, 1]: the quintic through values, slopes and curvatures of both ends misses it
// by at most max|f⁽⁶⁾|/6! · max (t(1−t))³ = 1/720/64 = 2.2e-5, the cubic by 1/24/16 = 2.6e-3; over
// the slope, which is −½ at the root.
TEST_CASE("curvatures make the first guess better, as the theory of Hermite says") {
  const auto f = [](double t) { return Sloped{std::exp(-t) - 0.5, -std::exp(-t), std::exp(-t)}; };
  const auto without = [&](double t) { return Sloped{f(t).value, f(t).slope}; };
  const double quintic = predict_root(0.0, f(0.0), 1.0, f(1.0));
  const double cubic = predict_root(0.0, without(0.0), 1.0, without(1.0));
  CHECK(std::abs(quintic - std::log(2.0)) <= 2.0 / 720.0 / 64.0);
  CHECK(std::abs(cubic - std::log(2.0)) <= 2.0 / 24.0 / 16.0);
  CHECK(std::abs(quintic - std::log(2.0)) < 0.1 * std::abs(cubic - std::log(2.0)));
}

TEST_CASE("within reach of a root there is no need to come closer") {
  int evaluations = 0;
  const auto f = [&](double t) {
    ++evaluations;
    return Sloped{0.3 - t + 5e-14, -1.0};
  };
  const double t = find_root(std::function<Sloped(double)>(f), 0.0, {0.3, -1.0}, 1.0, {-0.7, -1.0},
                             {.reach = 1e-12});
  CHECK(evaluations == 1);
  CHECK(std::abs(t - 0.3) <= 1e-12);
}

// As after an impact: zero at the start by construction, with a rounding sign.
TEST_CASE("a function that starts at zero is taken as positive there") {
  const auto hop = [](double t) { return Sloped{t * (1.0 - 4.0 * t), 1.0 - 8.0 * t}; };
  CHECK(find_root(hop, 0.0, {-1e-17, 1.0}, 1.0, hop(1.0)) == doctest::Approx(0.25).epsilon(1e-12));
}

}  // namespace
}  // namespace pequod
