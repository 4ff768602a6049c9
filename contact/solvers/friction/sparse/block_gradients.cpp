#include "contact/solvers/friction/sparse/block_gradients.h"

#include <cmath>
#include <limits>

namespace pequod {

namespace {

/// out ← J x
void apply(const BlockRows& J, const Eigen::VectorXd& x, Eigen::VectorXd& out) {
  const int n = static_cast<int>(J.row_start.size()) - 1;
  out.setZero(3 * n);
  for (int i = 0; i < n; ++i) J.add_row(i, x.data(), out.data() + 3 * i);
}

}  // namespace

void solve_by_gradients(double forcing, BlockNewtonBuffers& b) {
  constexpr int kSteps = 1000;
  constexpr double kLost = std::numeric_limits<double>::epsilon();
  const Eigen::Index size = b.right.size();
  b.x.setZero(size);
  b.r = b.shadow = b.right;
  b.p.setZero(size);
  b.v.setZero(size);
  const double end = forcing * forcing * b.right.squaredNorm();
  double shadow_norm = b.shadow.squaredNorm(), rho = 1.0, alpha = 1.0, omega = 1.0;
  for (int step = 0; step < kSteps && b.r.squaredNorm() > end; ++step) {
    const double before = rho;
    rho = b.shadow.dot(b.r);
    if (std::abs(rho) < kLost * kLost * shadow_norm) {
      apply(b.J, b.x, b.r);
      b.r = b.right - b.r;
      b.shadow = b.r;
      rho = shadow_norm = b.r.squaredNorm();
      b.p.setZero();
      b.v.setZero();
    }
    const double beta = rho / before * (alpha / omega);
    b.p = b.r + beta * (b.p - omega * b.v);
    b.y = b.inverse.cwiseProduct(b.p);
    apply(b.J, b.y, b.v);
    alpha = rho / b.shadow.dot(b.v);
    b.s = b.r - alpha * b.v;
    b.z = b.inverse.cwiseProduct(b.s);
    apply(b.J, b.z, b.t);
    const double length = b.t.squaredNorm();
    omega = length > 0.0 ? b.t.dot(b.s) / length : 0.0;
    b.x += alpha * b.y + omega * b.z;
    b.r = b.s - omega * b.t;
    if (omega == 0.0) return;
  }
}

}  // namespace pequod
