#include "events/root.h"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>

namespace pequod {
namespace {

// Evaluations after which slopes have not helped.
constexpr int kSlopedEvaluations = 8;

// The root in (0, 1) of the cubic with the values p0 > 0 > p1 and the slopes d0, d1 at 0 and 1:
// Newton's method, and bisection where it leaves the bracket.
double cubic_root(double p0, double d0, double p1, double d1) {
  const double c2 = 3.0 * (p1 - p0) - 2.0 * d0 - d1, c3 = 2.0 * (p0 - p1) + d0 + d1;
  double left = 0.0, right = 1.0, s = p0 / (p0 - p1);
  for (int i = 0; i < 60; ++i) {
    const double p = p0 + s * (d0 + s * (c2 + s * c3));
    (p > 0.0 ? left : right) = s;
    double next = s - p / (d0 + s * (2.0 * c2 + s * 3.0 * c3));
    if (!(next > left && next < right)) next = 0.5 * (left + right);
    if (std::abs(next - s) <= 1e-15) return next;
    s = next;
  }
  return s;
}

}  // namespace

double find_root(const std::function<double(double)>& f, double a, double fa, double b, double fb,
                 const RootOptions& options) {
  const auto rounded = [&](double x) {
    const double y = f(x);
    return std::abs(y) <= options.noise ? 0.0 : y;
  };
  if (!(a < b)) return a;
  auto evaluations = static_cast<std::uintmax_t>(options.max_evaluations);
  const auto narrow = [](double left, double right) {
    return std::abs(right - left) <= 4e-16 * std::max(std::abs(left), std::abs(right));
  };
  const std::pair<double, double> bracket = boost::math::tools::toms748_solve(
      rounded, a, b, std::max(fa, options.noise), fb, narrow, evaluations);
  return bracket.first;
}

double find_root(const std::function<Sloped(double)>& f, double a, Sloped fa, double b, Sloped fb,
                 const RootOptions& options) {
  fa.value = std::max(fa.value, options.noise);
  for (int i = 0; i < kSlopedEvaluations && a < b; ++i) {
    const double h = b - a;
    const double x = a + h * cubic_root(fa.value, h * fa.slope, fb.value, h * fb.slope);
    if (!(x > a && x < b)) break;
    const Sloped fx = f(x);
    if (std::abs(fx.value) <= options.noise) return x;
    (fx.value > 0.0 ? a : b) = x;
    (fx.value > 0.0 ? fa : fb) = fx;
  }
  const auto value = [&](double x) { return f(x).value; };
  return find_root(std::function<double(double)>(value), a, fa.value, b, fb.value, options);
}

}  // namespace pequod
