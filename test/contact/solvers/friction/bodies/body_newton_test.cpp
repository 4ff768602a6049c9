#include "contact/solvers/friction/bodies/body_newton.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <random>

#include "contact/solvers/friction/bodies/body_friction.h"
#include "test/contact/solvers/body_packing.h"

namespace pequod {
namespace {

// Near a solution each step of Newton's method squares the error, if its derivatives are right:
// from 1e-5 to 1e-10 and to rounding, after some in which modes change, with compliance about
// the solution itself, which keeps it one and leaves no other. Bodies that are thrown, many of
// whose contacts slide.
TEST_CASE("a few Newton steps lead from five digits of contacts that slide to all of them") {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> off(-1.0, 1.0);
  BodyFrictionWorkspace workspace;
  BodyFrictionSolution solution;
  ScaledBodies scaled;
  BodyNewtonBuffers buffers;
  int steps = 0, slides = 0, runs = 0;
  for (int run = 0; run < 12; ++run) {
    const BodyProblem problem =
        test::body_packing({.edge = 3, .friction = 0.4, .speed = 1.0}, random);
    solve_body_friction(problem, {.tolerance = 1e-12}, {}, workspace, solution);
    if (!solution.converged) continue;
    ++runs;
    slides += static_cast<int>(std::ranges::count(solution.modes, FrictionMode::slide));
    scale_bodies(problem, scaled);
    Eigen::VectorXd rho = solution.r, y;
    for (int i = 0; i < scaled.n(); ++i)
      rho.segment<3>(3 * i) /= scaled.contacts[static_cast<std::size_t>(i)].d;
    const Eigen::VectorXd centre = rho;
    const double size = 1e-5 * rho.norm() / std::sqrt(static_cast<double>(rho.size()));
    for (double& x : rho)
      if (x != 0.0) x += size * off(random);
    find_motion(scaled, rho, y);
    const BodyNewtonResult result = solve_body_newton(
        scaled, {.steps = 8, .tolerance = 1e-12, .compliance = 1e-2, .centre = &centre}, buffers,
        rho, y);
    CHECK(result.converged);
    steps += result.factors;
  }
  std::printf("Newton's method on bodies: %d runs, %d slides, %d steps\n", runs, slides, steps);
  CHECK(runs >= 8);
  CHECK(slides > 10 * runs);
  CHECK(steps <= 6 * runs);
}

}  // namespace
}  // namespace pequod
