#include "contact/solvers/friction/friction_ball.h"

#include <algorithm>

#include "contact/solvers/friction/friction_cone.h"
#include "contact/solvers/friction/friction_local.h"
#include "contact/solvers/friction/friction_problem.h"

namespace pequod {

namespace {

// Of W_nn: what is rounding where the normal and both tangents move by themselves, these alike.
constexpr double kBallRounding = 1e-12;
// Relative to the largest of q̂, ρ, û and the motion: the natural map of what is solved to rounding,
// a slip below which a contact sticks, and a force below which it is open.
constexpr double kBallExact = 1e-13, kBallForce = 1e-10;

double norm(const std::array<double, 3>& x) {
  return std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

}  // namespace

bool is_of_ball(const double* W) {
  const double apart = std::max({std::abs(W[1]), std::abs(W[2]), std::abs(W[3]), std::abs(W[6]),
                                 std::abs(W[5]), std::abs(W[7]), std::abs(W[4] - W[8])});
  return apart <= kBallRounding * W[0];
}

bool solve_ball(const double* W, const double* q, double mu, double scale, BallContact& out) {
  if (mu >= kNoSlipFriction || !is_of_ball(W) || !solve_contact(W, q, mu, out.r.data()))
    return false;
  const double trace = W[0] + W[4] + W[8], d = trace > 0 ? std::sqrt(3 / trace) : 1;
  std::array<double, 3> rho{}, u{}, free{}, image{};
  for (int k = 0; k < 3; ++k) {
    const double own = W[3 * k] * out.r[0] + W[3 * k + 1] * out.r[1] + W[3 * k + 2] * out.r[2];
    rho[k] = out.r[k] / d;
    u[k] = d * (own + q[k]);
    free[k] = d * q[k];
    image[k] = rho[k] - u[k];
  }
  const double slip = std::sqrt(u[1] * u[1] + u[2] * u[2]);
  image[0] -= mu * slip;
  project_on_cone(mu, image.data());
  for (int k = 0; k < 3; ++k) image[k] -= rho[k];
  const double S = std::max({norm(rho), norm(u), norm(free), scale});
  out.residual = norm(image) / (S > 0 ? S : 1);
  out.sticks = mu > 0 && rho[0] > kBallForce * S && slip <= kBallExact * S;
  return out.residual <= kBallExact;
}

}  // namespace pequod
