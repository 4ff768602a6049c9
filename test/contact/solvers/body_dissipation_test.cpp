#include "contact/solvers/friction/body_dissipation.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <random>

#include "test/contact/solvers/body_packing.h"

namespace pequod {
namespace {

using test::body_packing;
using test::BodyPacking;

// Packings of 12 to 99 contacts: the same model over W, the same interior point on other matrices.
TEST_CASE("most dissipation over bodies is that over W") {
  std::mt19937_64 random(5);
  BodyDissipationWorkspace workspace;
  MaximumDissipationWorkspace dense_workspace;
  MaximumDissipationSolution solution, dense;
  for (const int points : {1, 4})
    for (const double friction : {0.0, 0.1, 0.3, 1.0})
      for (const double speed : {0.0, 0.1, 1.0})
        for (const double ratio : {1.0, 1000.0}) {
          BodyProblem problem = body_packing({.edge = points == 1 ? 3 : 2,
                                                    .points = points,
                                                    .friction = friction,
                                                    .speed = speed,
                                                    .mass_ratio = ratio},
                                                   random);
          for (std::size_t i = 0; i < problem.mu.size(); i += 7) problem.mu[i] = 0.0;
          solve_maximum_dissipation(test::dense_problem(problem), {}, dense_workspace, dense);
          REQUIRE(solve_body_dissipation(problem, dense.normal, {}, workspace, solution));
          std::printf("%d pts mu %g speed %g ratio %g: n %d dense %d it %d e %.12g gap %.1e | %d it %d e %.12g gap %.1e pen %.1e cone %.1e u %.1e\n", points, friction, speed, ratio, problem.contacts(), dense.status == FrictionStatus::solved, dense.iterations, dense.energy_change, dense.gap, solution.status == FrictionStatus::solved, solution.iterations, solution.energy_change, solution.gap, solution.penetration, solution.cone, (solution.u-dense.u).norm()/dense.u.norm());
        }
}

}  // namespace
}  // namespace pequod
