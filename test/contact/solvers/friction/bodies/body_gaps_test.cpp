// Bodies that overlap moved apart, judged by a quadratic program over all contacts.
#include "contact/solvers/friction/bodies/body_gaps.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "contact/solvers/least_distance/dual.h"
#include "test/contact/solvers/body_packing.h"
#include "test/contact/solvers/solve_once.h"

using namespace pequod;
using namespace pequod::test;

namespace {

// N, a normal a row.
Eigen::MatrixXd normals_of(const BodyProblem& problem) {
  Eigen::MatrixXd N(problem.contacts(), problem.y.size());
  for (int i = 0; i < problem.contacts(); ++i)
    for (Eigen::Index j = 0; j < problem.y.size(); ++j)
      N(i, j) = problem.dot(i, 0, Eigen::VectorXd::Unit(problem.y.size(), j));
  return N;
}

// Gaps that some motion opens, of bodies between walls: as if a packing that fits had moved a
// little.
Eigen::VectorXd gaps_of(const Eigen::MatrixXd& N, std::mt19937_64& random) {
  std::uniform_real_distribution<double> moved(-1e-4, 1e-4);
  Eigen::VectorXd away(N.cols());
  for (double& x : away) x = moved(random);
  Eigen::VectorXd gaps = N * away;
  for (double& gap : gaps) gap += std::max(moved(random), 0.0);
  return gaps;
}

}  // namespace

TEST_CASE("bodies move apart by the least motion that leaves no overlap") {
  std::mt19937_64 random(5);
  for (const double mass_ratio : {1.0, 1000.0}) {
    const BodyProblem problem = body_packing({.edge = 3, .mass_ratio = mass_ratio}, random);
    const Eigen::MatrixXd N = normals_of(problem);
    const Eigen::VectorXd gaps = gaps_of(N, random);
    GapBuffers buffers;
    Eigen::VectorXd delta(problem.y.size());
    const int sweeps =
        open_gaps(problem, gaps, {.tolerance = 1e-13, .sweeps = 20000}, buffers, delta);
    CAPTURE(mass_ratio);
    CAPTURE(sweeps);
    CHECK((gaps + N * delta).minCoeff() >= -1e-13);
    LeastDistanceProblem exact;
    exact.y0.setZero(problem.y.size());
    exact.G = N.transpose();
    exact.c = -gaps;
    const LeastDistanceSolution solution = test::solve_once(solve_dual, exact);
    REQUIRE(solution.status == SolveStatus::solved);
    // Sweeps end at 1e-9 of the deepest gap.
    CHECK((delta - solution.y).norm() <= 1e-7 * solution.y.norm());
    CHECK(solution.y.norm() > 0.0);
  }
}

TEST_CASE("nothing moves where nothing overlaps") {
  std::mt19937_64 random(6);
  const BodyProblem problem = body_packing({.edge = 3}, random);
  GapBuffers buffers;
  Eigen::VectorXd delta(problem.y.size());
  const Eigen::VectorXd gaps = Eigen::VectorXd::Constant(problem.contacts(), 1e-5);
  CHECK(open_gaps(problem, gaps, {}, buffers, delta) == 1);
  CHECK(delta.isZero(0.0));
}
