#include "contact/solvers/reference/ppm.h"

#include <doctest/doctest.h>

#include "contact/solvers/least_distance/dual.h"
#include "test/contact/solvers/random_contacts.h"
#include "test/contact/solvers/solve_once.h"

namespace pequod {
namespace {

using test::Contacts;

// The velocity is unique, so two methods must find the same one up to rounding.
TEST_CASE("principal pivoting and the dual method agree on the velocity") {
  std::mt19937_64 random(21);
  double worst = 0;
  for (int i = 0; i < 2000; ++i) {
    const LeastDistanceProblem problem = test::least_distance(test::random_contacts(random));
    const LeastDistanceSolution a = test::solve_once(solve_ppm, problem),
                                b = test::solve_once(solve_dual, problem);
    REQUIRE(a.status == b.status);
    if (a.status == SolveStatus::solved)
      worst = std::max(worst, (a.y - b.y).norm() / scale(problem));
  }
  INFO("worst ", worst);
  CHECK(worst < 1e-11);
}

// As printed, Algorithm 1 would add a second copy of an active row: a singular matrix.
TEST_CASE("a repeated row that asks for more hands over to dual steps") {
  LeastDistanceProblem problem;
  problem.y0 = Eigen::Vector2d(0.0, 0.0);
  problem.E.resize(2, 0);
  problem.G.resize(2, 3);
  problem.G << 1, 1, 0,  //
      0, 0, 1;
  problem.c = Eigen::Vector3d(1.0, 1.0, 0.5);
  LeastDistanceSolution solution = test::solve_once(solve_ppm, problem);
  CHECK(solution.switches == 0);  // the copy is met as soon as the first one is
  const std::vector<int> start = {1};
  problem.c[0] = 2.0;
  solution = test::solve_once(solve_ppm, problem, {}, start);
  REQUIRE(solution.status == SolveStatus::solved);
  CHECK(solution.switches == 1);
  CHECK((solution.y - Eigen::Vector2d(2.0, 0.5)).norm() < 1e-15);
}

// With c = 0 a violated row never depends on the set, so a switch means that a set came back.
// It is rare (2 of these 4000 problems); the solve ends all the same and says that it switched.
TEST_CASE("boxes on which Algorithm 1 cycles are solved all the same") {
  std::mt19937_64 random(22);
  int cycles = 0;
  for (int i = 0; i < 4000; ++i) {
    Contacts contacts = test::random_contacts(random);
    contacts.c.setZero();
    const LeastDistanceProblem problem = test::least_distance(contacts);
    const LeastDistanceSolution solution = test::solve_once(solve_ppm, problem);
    REQUIRE(solution.status == SolveStatus::solved);
    CHECK(solution.residuals.infeasibility < 1e-12);
    cycles += solution.switches;
  }
  MESSAGE("Algorithm 1 left to dual steps on ", cycles, " of 4000 problems with c = 0");
  CHECK(cycles > 0);
}

}  // namespace
}  // namespace pequod
