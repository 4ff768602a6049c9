// The exact solution of one contact, which sweeps over many contacts are made of.
#include "contact/solvers/friction/friction_local.h"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "test/support/worst.h"

namespace pequod {
namespace {

using Eigen::Matrix3d, Eigen::Vector3d;

// Coulomb's law says what the answer is: open, or no normal velocity and a tangential impulse that
// either stops the slip within the cone or opposes it on its border. W is definite and far from
// singular (a sweep would bring back what one solve had wrong, so that no residual of many contacts
// tells).
TEST_CASE("one contact opens, sticks or slides by Coulomb's law to rounding") {
  std::mt19937 random(17);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  test::Worst approach, cone, slip;
  int open = 0, sticks = 0, slides = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    Matrix3d J;
    Vector3d q;
    for (double& x : J.reshaped()) x = 0.3 * normal(random);
    for (double& x : q) x = normal(random);
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> W = J * J.transpose() + Matrix3d::Identity();
    const double mu = trial % 10 == 0 ? 0.0 : 1.5 * uniform(random);
    Vector3d r;
    REQUIRE(solve_contact(W.data(), q.data(), mu, r.data()));
    const Vector3d u = W * r + q;
    if (q[0] >= 0) {
      ++open;
      CHECK(r.norm() == 0.0);
      continue;
    }
    const double force = r.tail<2>().norm(), speed = u.tail<2>().norm();
    approach.see(std::abs(u[0]));
    cone.see(force - mu * r[0]);
    // r_t |u_t| + μ r_n u_t = 0: no slip, or friction against it on the border of its disc.
    slip.see((r.tail<2>() * speed + mu * r[0] * u.tail<2>()).norm());
    CHECK(r[0] > 0.0);
    ++(force < mu * r[0] * (1 - 1e-9) ? sticks : slides);
  }
  CHECK(open > 500);
  CHECK(sticks > 200);
  CHECK(slides > 200);
  CHECK(approach.value() < 1e-13);
  CHECK(cone.value() < 1e-13);
  CHECK(slip.value() < 1e-12);
}

}  // namespace
}  // namespace pequod
