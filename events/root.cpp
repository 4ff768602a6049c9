#include "events/root.h"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>

namespace pequod {
namespace {

// Evaluations after which slopes or parabolas have not helped.
constexpr int kSlopedEvaluations = 8;

// The polynomial on (0, 1) through two ends of an interval h: a quintic, or a cubic where a
// curvature is unknown (Hermite).
struct Polynomial {
  double c0, c1, c2, c3, c4 = 0.0, c5 = 0.0;

  Polynomial(const Sloped& fa, const Sloped& fb, double h) : c0(fa.value), c1(h * fa.slope) {
    const double rise = fb.value - fa.value, d0 = c1, d1 = h * fb.slope;
    const double a0 = h * h * fa.curvature, a1 = h * h * fb.curvature;
    if (std::isfinite(a0) && std::isfinite(a1)) {
      c2 = 0.5 * a0;
      c3 = 10.0 * rise - 6.0 * d0 - 4.0 * d1 - 1.5 * a0 + 0.5 * a1;
      c4 = -15.0 * rise + 8.0 * d0 + 7.0 * d1 + 1.5 * a0 - a1;
      c5 = 6.0 * rise - 3.0 * (d0 + d1) + 0.5 * (a1 - a0);
    } else {
      c2 = 3.0 * rise - 2.0 * d0 - d1;
      c3 = d0 + d1 - 2.0 * rise;
    }
  }
  [[nodiscard]] double value(double s) const {
    return c0 + s * (c1 + s * (c2 + s * (c3 + s * (c4 + s * c5))));
  }
  [[nodiscard]] double slope(double s) const {
    return c1 + s * (2.0 * c2 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)));
  }
};

// The root in (0, 1) of p, which is positive at 0 and negative at 1: Newton's method, and bisection
// where it leaves the bracket.
double root_of(const Polynomial& p, double first) {
  double left = 0.0, right = 1.0, s = first;
  for (int i = 0; i < 60; ++i) {
    const double value = p.value(s);
    (value > 0.0 ? left : right) = s;
    double next = s - value / p.slope(s);
    if (!(next > left && next < right)) next = 0.5 * (left + right);
    if (std::abs(next - s) <= 1e-15) return next;
    s = next;
  }
  return s;
}

// |f| up to which x counts as its zero.
double near_root(double slope, const RootOptions& options) {
  return std::max(options.noise, std::min(10.0 * options.noise, options.reach * std::abs(slope)));
}

}  // namespace

double find_root(const std::function<double(double)>& f, double a, double fa, double b, double fb,
                 const RootOptions& options) {
  // Margins may be infinite, of which no secant can be drawn.
  constexpr double kHuge = 1e100;
  double above = fa, below = fb;  // f at the ends of the bracket, as they were found last
  const auto rounded = [&](double x) {
    const double y = f(x);
    (y > 0.0 ? above : below) = y;
    return std::abs(y) <= options.noise ? 0.0 : std::clamp(y, -kHuge, kHuge);
  };
  if (!(a < b)) return a;
  auto evaluations = static_cast<std::uintmax_t>(options.max_evaluations);
  // Of a function that jumps at a = 0 the bracket would shrink until its secants are 0/0.
  const double least = 1e-22 * (b - a);
  const auto narrow = [&](double left, double right) {
    const double width = std::abs(right - left);
    return above - below > options.steepest * width ||
           width <= std::max(least, 4e-16 * std::max(std::abs(left), std::abs(right)));
  };
  const std::pair<double, double> bracket =
      boost::math::tools::toms748_solve(rounded, a, b, std::clamp(fa, options.noise, kHuge),
                                        std::max(fb, -kHuge), narrow, evaluations);
  return bracket.first;
}

double find_root_by_parabolas(const std::function<double(double)>& f, double a, double fa, double b,
                              double fb, const RootOptions& options) {
  // f(from + s) = start + s m(s), and m all but a line, through its values at the last two points.
  const double from = a, start = std::max(fa, options.noise);
  double last = b - from, m_last = (fb - start) / last;
  double s = -start / m_last, bend = 0.0;
  fa = start;
  for (int i = 0; i < kSlopedEvaluations && from + s > a && from + s < b; ++i) {
    const double x = from + s, fx = f(x), m = (fx - start) / s;
    bend = (m - m_last) / (s - last);
    if (std::abs(fx) <= near_root(m + s * bend, options)) return x;
    (fx > 0.0 ? a : b) = x;
    (fx > 0.0 ? fa : fb) = fx;
    if (fa - fb > options.steepest * (b - a)) return a;
    last = s;
    m_last = m;
    // start + s (m₀ + s bend) = 0; the smaller root, as f is positive before.
    const double m0 = m - last * bend, root = m0 * m0 - 4.0 * bend * start;
    s = 2.0 * start / (std::sqrt(std::max(root, 0.0)) - m0);
  }
  return find_root(f, a, fa, b, fb, options);
}

double predict_root(double a, const Sloped& fa, double b, const Sloped& fb) {
  const double chord = fa.value / (fa.value - fb.value);
  return a + (b - a) * root_of(Polynomial(fa, fb, b - a), chord);
}

double find_root(const std::function<Sloped(double)>& f, double a, Sloped fa, double b, Sloped fb,
                 const RootOptions& options) {
  fa.value = std::max(fa.value, options.noise);
  for (int i = 0; i < kSlopedEvaluations && a < b; ++i) {
    const double x = predict_root(a, fa, b, fb);
    if (!(x > a && x < b)) break;
    const Sloped fx = f(x);
    if (std::abs(fx.value) <= near_root(fx.slope, options)) return x;
    (fx.value > 0.0 ? a : b) = x;
    (fx.value > 0.0 ? fa : fb) = fx;
  }
  const auto value = [&](double x) { return f(x).value; };
  return find_root(std::function<double(double)>(value), a, fa.value, b, fb.value, options);
}

}  // namespace pequod
