// Friction of bodies whose masses differ by far: rows of point masses, judged by Coulomb's law.
#include "contact/solvers/friction/loads/load_friction.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "contact/solvers/friction/dense/coulomb_chain.h"

namespace pequod {
namespace {

// Point masses on top of each other, contact i between i − 1 and i (the ground is −1).
struct Tower {
  Eigen::VectorXd mass;
  LoadFrictionProblem problem;
};

Tower random_tower(std::mt19937& random, double R) {
  std::uniform_real_distribution<double> share(0.0, 1.0);
  std::normal_distribution<double> normal;
  const int n = 2 + static_cast<int>(random() % 5);
  Tower out;
  out.mass.resize(n);
  LoadFrictionProblem& p = out.problem;
  p.G.setZero(3 * n, 3 * n);
  p.y.resize(3 * n);
  p.c.setZero(3 * n);
  p.mu.resize(n);
  for (int i = 0; i < n; ++i) {
    out.mass[i] = std::pow(R, share(random));
    p.mu[i] = 0.5 * share(random);
    const double root = std::sqrt(out.mass[i]);
    for (int k = 0; k < 3; ++k) {
      p.y[3 * i + k] = root * (k == 0 ? -1.0 : 0.3 * normal(random));
      p.G(3 * i + k, 3 * i + k) = 1.0 / root;
      if (i > 0) p.G(3 * i - 3 + k, 3 * i + k) = -1.0 / std::sqrt(out.mass[i - 1]);
    }
  }
  return out;
}

// How far y and r are from the law, each in units of its own: what contacts leave of momentum, of
// the loads of that mass; what is beyond a cone, of the force; speeds of the largest.
double worst_of(const Tower& tower, const LoadFrictionSolution& s) {
  using Real = long double;
  const LoadFrictionProblem& p = tower.problem;
  const int n = static_cast<int>(tower.mass.size());
  Real worst = 0.0L;
  for (int i = 0; i < n; ++i) {
    const Real root = std::sqrt(static_cast<Real>(tower.mass[i]));
    for (int k = 0; k < 3; ++k) {
      const Real own = s.r[3 * i + k], above = i + 1 < n ? s.r[3 * i + 3 + k] : 0.0;
      Real load = std::abs(root * p.y[3 * i + k]);
      for (int l = 0; l < 3; ++l)
        load +=
            std::abs(Real(s.r[3 * i + l])) + (i + 1 < n ? std::abs(Real(s.r[3 * i + 3 + l])) : 0);
      const Real left = root * (Real(s.y[3 * i + k]) - p.y[3 * i + k]) - own + above;
      worst = std::max(worst, std::abs(left) / load);
    }
    Real u[3];
    for (int k = 0; k < 3; ++k)
      u[k] = s.y[3 * i + k] / root -
             (i > 0 ? s.y[3 * i - 3 + k] / std::sqrt(static_cast<Real>(tower.mass[i - 1])) : 0.0L);
    const double* r = s.r.data() + 3 * i;
    const Real slip = std::hypot(u[1], u[2]), friction = std::hypot(Real(r[1]), Real(r[2]));
    const Real power = (u[1] * r[1] + u[2] * r[2]);
    worst = std::max({worst, -u[0], r[0] > 0.0 ? u[0] : 0.0L, -Real(r[0])});
    if (r[0] > 0.0) {
      worst = std::max(worst, (friction - p.mu[i] * r[0]) / r[0]);
      // All of the bound against the slip.
      worst = std::max(worst, (power + p.mu[i] * r[0] * slip) / r[0]);
    }
  }
  return static_cast<double>(worst);
}

}  // namespace

TEST_CASE("towers of masses up to 1 : 1e10 slide by Coulomb's law, each contact in its own unit") {
  std::mt19937 random(1);
  LoadFrictionWorkspace workspace;
  LoadFrictionSolution solution;
  double worst = 0.0;
  for (const double R : {1.0, 1e3, 1e6, 1e10}) {
    CAPTURE(R);
    int solved = 0;
    for (int trial = 0; trial < 200; ++trial) {
      const Tower tower = random_tower(random, R);
      solve_load_friction(tower.problem, {}, workspace, solution);
      if (!solution.solved) continue;
      ++solved;
      worst = std::max(worst, worst_of(tower, solution));
    }
    CHECK(solved == 200);
  }
  MESSAGE("worst residual ", worst);
  CHECK(worst <= 1e-11);
}

// Where masses are alike W has all digits, and the chain of methods on W is a second way.
TEST_CASE("velocities by loads are those of the chain where masses are alike") {
  std::mt19937 random(2);
  LoadFrictionWorkspace workspace;
  LoadFrictionSolution solution;
  FrictionWorkspace chain_workspace;
  FrictionSolution chain;
  for (int trial = 0; trial < 100; ++trial) {
    const Tower tower = random_tower(random, 4.0);
    const LoadFrictionProblem& p = tower.problem;
    solve_load_friction(p, {}, workspace, solution);
    REQUIRE(solution.solved);
    FrictionProblem posed;
    posed.W = p.G.transpose() * p.G;
    posed.q = p.G.transpose() * p.y;
    posed.mu = p.mu;
    solve_coulomb(posed, {}, {}, chain_workspace, chain);
    REQUIRE(chain.status == SolveStatus::solved);
    const Eigen::VectorXd y = p.y + p.G * chain.r;
    CHECK((solution.y - y).norm() <= 1e-9 * p.y.norm());
  }
}

}  // namespace pequod
