// The exact solution of one contact, which sweeps over many contacts are made of, and of a ball's.
#include "contact/solvers/friction/friction_local.h"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>

#include "contact/solvers/friction/friction_ball.h"
#include "test/support/worst.h"

namespace pequod {
namespace {

using Eigen::Matrix3d, Eigen::Vector3d;
using RowMajorW = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

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

// The normal impulse stops the approach alone, and friction takes of the slip what it can. W in any
// units, with couplings that are rounding; it sticks where friction could do more.
TEST_CASE("a ball by itself opens, sticks or slides as its normal and tangents say one by one") {
  std::mt19937_64 random(32);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  test::Worst apart, residual;
  int sticks = 0, slides = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const double unit = std::pow(10.0, 4.0 * normal(random)), of_normal = unit * uniform(random);
    const double of_tangent = of_normal * (1.0 + 2.5 * uniform(random));
    RowMajorW W = Vector3d(of_normal, of_tangent, of_tangent).asDiagonal().toDenseMatrix();
    W(0, 1) = W(1, 0) = 1e-15 * of_normal * normal(random);
    const Vector3d q(normal(random), normal(random), normal(random));
    const double mu = trial % 10 == 0 ? 0.0 : 1.5 * uniform(random);
    BallContact found;
    REQUIRE(solve_ball(W.data(), q.data(), mu, 0.0, found));
    const double pushed = std::max(0.0, -q[0] / of_normal), slip = q.tail<2>().norm();
    const double share = std::min(1.0 / of_tangent, mu * pushed / slip);
    const Vector3d truth(pushed, -share * q[1], -share * q[2]);
    apart.see(of_normal * (Vector3d(found.r.data()) - truth).norm() / q.norm());
    residual.see(found.residual);
    CHECK(found.sticks == (pushed > 0.0 && mu * pushed * of_tangent > slip));
    ++(found.sticks ? sticks : slides);
  }
  CHECK(apart.value() < 1e-13);
  CHECK(residual.value() < 1e-13);
  CHECK(std::min(sticks, slides) > 300);
}

TEST_CASE("what is not of a ball, or rules slip out, is left to others") {
  const Vector3d q(-1.0, 0.2, 0.9);
  BallContact found;
  RowMajorW W = RowMajorW::Identity();
  CHECK(solve_ball(W.data(), q.data(), 0.5, 0.0, found));
  CHECK_FALSE(solve_ball(W.data(), q.data(), 1e4, 0.0, found));
  W(1, 2) = W(2, 1) = 0.3;
  CHECK_FALSE(solve_ball(W.data(), q.data(), 0.5, 0.0, found));
}

}  // namespace
}  // namespace pequod
