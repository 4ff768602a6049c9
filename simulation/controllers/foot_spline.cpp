#include "simulation/controllers/foot_spline.h"

#include <Eigen/LU>
#include <algorithm>

namespace pequod {
namespace {

constexpr int kKnots = 6;
constexpr double kExtra = 1e-3;  // of the first and last interval

// Knots and what is known of the values there; second derivatives M, zero at the ends.
struct Knots {
  int n = 0;  // last knot
  std::array<double, kKnots> t;
  std::array<Vector3d, kKnots> y, M;
};

Knots place_knots(const FootSpline& spline) {
  Knots knots;
  const int last = spline.points - 1;
  const double interval = spline.duration / last, extra = kExtra * interval;
  knots.n = last + 2;
  const auto n = static_cast<std::size_t>(knots.n), end = static_cast<std::size_t>(last);
  for (std::size_t i = 1; i < end; ++i) {
    knots.t[i + 1] = static_cast<double>(i) * interval;
    knots.y[i + 1] = spline.point[i];
  }
  knots.t[0] = 0.0;
  knots.t[1] = extra;
  knots.t[n - 1] = spline.duration - extra;
  knots.t[n] = spline.duration;
  // Zero velocity and M at an end give y at the knot next to it: y_1 = y_0 + ε² M_1 / 6.
  knots.y[0] = knots.y[1] = spline.point[0];
  knots.y[n - 1] = knots.y[n] = spline.point[end];
  return knots;
}

// C² at the inner knots i, with h_i = t_{i+1} − t_i:
//   h_{i−1} M_{i−1} + 2 (h_{i−1} + h_i) M_i + h_i M_{i+1} = 6 (Δy_i / h_i − Δy_{i−1} / h_{i−1}),
// where y_1 and y_{n−1} depend on M_1 and M_{n−1}.
void solve_moments(Knots& knots) {
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kKnots, kKnots>;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, 3, 0, kKnots, 3>;
  const int m = knots.n - 1;
  Square A = Square::Zero(m, m);
  Rows b(m, 3);
  const double slope = knots.t[1] * knots.t[1] / 6.0;  // y_1 − y_0 over M_1
  // Coefficient of the moment that stands behind y_j, 0 if y_j is given.
  const auto behind = [&](int j) { return j == 1 || j == m ? slope : 0.0; };
  for (int i = 1; i <= m; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const double before = knots.t[k] - knots.t[k - 1], after = knots.t[k + 1] - knots.t[k];
    b.row(i - 1) =
        6.0 * ((knots.y[k + 1] - knots.y[k]) / after - (knots.y[k] - knots.y[k - 1]) / before)
                  .transpose();
    A(i - 1, i - 1) += 2.0 * (before + after) + 6.0 * behind(i) * (1.0 / after + 1.0 / before);
    if (i > 1) A(i - 1, i - 2) += before - 6.0 * behind(i - 1) / before;
    if (i < m) A(i - 1, i) += after - 6.0 * behind(i + 1) / after;
  }
  const Rows M = A.partialPivLu().solve(b);
  knots.M[0].setZero();
  nth(knots.M, knots.n).setZero();
  for (int i = 1; i <= m; ++i) nth(knots.M, i) = M.row(i - 1).transpose();
  knots.y[1] += slope * knots.M[1];
  nth(knots.y, m) += slope * nth(knots.M, m);
}

}  // namespace

FootMotion evaluate(const FootSpline& spline, double t) {
  Knots knots = place_knots(spline);
  solve_moments(knots);
  const double x = std::clamp(t - spline.start, 0.0, spline.duration);
  std::size_t i = 0;
  while (static_cast<int>(i) + 1 < knots.n && x > knots.t[i + 1]) ++i;
  const double h = knots.t[i + 1] - knots.t[i];
  const double u = knots.t[i + 1] - x, w = x - knots.t[i];
  const Vector3d& M0 = knots.M[i];
  const Vector3d& M1 = knots.M[i + 1];
  const Vector3d c0 = knots.y[i] / h - M0 * (h / 6.0), c1 = knots.y[i + 1] / h - M1 * (h / 6.0);
  FootMotion motion;
  motion.p = M0 * (u * u * u / (6.0 * h)) + M1 * (w * w * w / (6.0 * h)) + c0 * u + c1 * w;
  motion.v = -M0 * (u * u / (2.0 * h)) + M1 * (w * w / (2.0 * h)) - c0 + c1;
  motion.a = M0 * (u / h) + M1 * (w / h);
  return motion;
}

}  // namespace pequod
