#include "contact/solvers/friction/friction_problem.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "contact/solvers/friction/friction_cone.h"
#include "contact/solvers/registry/friction_solvers.h"

namespace pequod {
namespace {

/// A point mass of 2 kg that meets a plane at velocity q.
FrictionProblem point(const Eigen::VectorXd& q, double mu) {
  FrictionProblem problem;
  problem.dimension = static_cast<int>(q.size());
  problem.W = 0.5 * Eigen::MatrixXd::Identity(q.size(), q.size());
  problem.q = q;
  problem.mu = Eigen::VectorXd::Constant(1, mu);
  return problem;
}

FrictionSolution solve(std::string_view name, const FrictionProblem& problem) {
  FrictionWorkspace workspace;
  FrictionSolution solution;
  find_friction_solver(name)->solve(problem, {}, {}, workspace, solution);
  return solution;
}

void check_point(const FrictionProblem& problem, const Eigen::VectorXd& u, FrictionMode mode) {
  for (const std::string_view name :
       {"coulomb", "semismooth-newton", "nsgs", "pgs", "admm", "proximal"}) {
    CAPTURE(name);
    const FrictionSolution solution = solve(name, problem);
    CHECK(solution.status == SolveStatus::solved);
    CHECK(solution.reason.empty());
    CHECK((solution.u - u).norm() < 1e-11);
    CHECK(solution.modes[0] == mode);
    CHECK(solution.residuals.natural_map < 1e-11);
  }
}

// The normal impulse stops the fall; friction takes at most μ times as much off the slip.
TEST_CASE("a point sticks, slides or leaves as Coulomb says") {
  check_point(point(Eigen::Vector3d(-1, 0.3, 0.4), 0.6), Eigen::Vector3d::Zero(),
              FrictionMode::stick);
  check_point(point(Eigen::Vector3d(-1, 0.3, 0.4), 0.2), Eigen::Vector3d(0, 0.18, 0.24),
              FrictionMode::slide);
  check_point(point(Eigen::Vector3d(0.1, 3, 4), 0.2), Eigen::Vector3d(0.1, 3, 4),
              FrictionMode::open);
  check_point(point(Eigen::Vector2d(-1, -2), 0.5), Eigen::Vector2d(0, -1.5), FrictionMode::slide);
}

TEST_CASE("without friction a point slides on, with infinite friction it stops") {
  const Eigen::Vector3d q(-1, 30, 40);
  check_point(point(q, 0), Eigen::Vector3d(0, 30, 40), FrictionMode::slide);
  check_point(point(q, std::numeric_limits<double>::infinity()), Eigen::Vector3d::Zero(),
              FrictionMode::stick);
  check_point(point(q, 1e3), Eigen::Vector3d::Zero(), FrictionMode::stick);
}

// Its slip is below what counts as rounding of a stick beside the other's, and yet it is a slide.
TEST_CASE("beside a fast contact another may slide slowly, as exactly") {
  FrictionProblem problem = point(Eigen::VectorXd::Zero(6), 0.2);
  problem.q << -1.0, 3.0, 4.0, -1e-8, 2.1e-9, 0.0;
  problem.mu = Eigen::Vector2d::Constant(0.2);
  problem.dimension = 3;
  const FrictionSolution solution = solve("coulomb", problem);
  CHECK(solution.status == SolveStatus::solved);
  CHECK(solution.exact);
  CHECK(solution.modes[1] == FrictionMode::slide);
  CHECK(solution.method == "newton");  // and no stage beyond
  CHECK(solution.u[4] == doctest::Approx(1e-10).epsilon(1e-6));
}

// Least energy in the cone: the impulse is the projection of −2q on it, here on its surface, where
// r_n = 2(1 + 0.2·5)/1.04, so the contact lifts with u_n = −1 + r_n/2 = 0.96/1.04.
TEST_CASE("under the associated law a sliding point lifts") {
  FrictionProblem problem = point(Eigen::Vector3d(-1, 3, 4), 0.2);
  problem.associated = true;
  for (const std::string_view name :
       {"coulomb", "semismooth-newton", "pgs", "admm", "interior-point"}) {
    CAPTURE(name);
    const FrictionSolution solution = solve(name, problem);
    CHECK(solution.status == SolveStatus::solved);
    CHECK(solution.u[0] == doctest::Approx(0.96 / 1.04).epsilon(1e-11));
  }
}

// q holds the velocity at a wheel's rim and its spin; drag is at most μ_m r_n.
TEST_CASE("rolling friction slows a spinning contact by mu_rolling times the impulse") {
  FrictionProblem problem = point(Eigen::VectorXd{{-1, 0.1, 0, 3, 4}}, 0.5);
  problem.mu_rolling = Eigen::VectorXd::Constant(1, 0.2);
  for (const std::string_view name : {"coulomb", "admm", "pgs"}) {
    CAPTURE(name);
    const FrictionSolution solution = solve(name, problem);
    CHECK(solution.status == SolveStatus::solved);
    CHECK((solution.u - Eigen::VectorXd{{0, 0, 0, 2.88, 3.84}}).norm() < 1e-11);
  }
  for (const std::string_view name : {"semismooth-newton", "nsgs", "proximal", "interior-point"}) {
    CAPTURE(name);
    const FrictionSolution solution = solve(name, problem);
    CHECK(solution.status == SolveStatus::failed);
    CHECK(solution.reason == "the method has no equations for rolling friction");
  }
}

TEST_CASE("a method that cannot serve a law says so") {
  FrictionProblem problem = point(Eigen::Vector3d(-1, 3, 4), 0.2);
  CHECK(solve("interior-point", problem).reason ==
        "Coulomb's law is no convex program; only the associated law is");
  problem.associated = true;
  CHECK(solve("nsgs", problem).reason == "its solve of one contact knows no associated law");
}

TEST_CASE("nothing in contact is a solved problem") {
  FrictionProblem problem;
  problem.W.resize(0, 0);
  for (const FrictionSolver& solver : friction_solvers()) {
    CAPTURE(solver.name);
    problem.associated = solver.name == "interior-point";
    problem.dimension = solver.name == "enumerate" ? 2 : 3;
    CHECK(solve(solver.name, problem).status == SolveStatus::solved);
  }
}

TEST_CASE("data that do not fit together are refused with their sizes") {
  FrictionProblem problem = point(Eigen::Vector3d(-1, 3, 4), 0.2);
  problem.mu.resize(2);
  CHECK_THROWS_WITH(check(problem),
                    "friction problem: q has room for 1 contacts but mu has 2 entries");
  problem = point(Eigen::Vector3d(-1, 3, 4), -0.2);
  CHECK_THROWS_WITH(check(problem),
                    "friction problem: mu of contact 0 is -0.200000, not a number ≥ 0");
  problem = point(Eigen::Vector4d(-1, 3, 4, 0), 0.2);
  CHECK_THROWS_WITH(check(problem), "friction problem: its dimension is 4, not 2, 3 or 5");
  problem = point(Eigen::Vector3d(-1, NAN, 4), 0.2);
  CHECK_THROWS_WITH(check(problem), "friction problem: an entry of q is not finite");
  problem = point(Eigen::Vector3d(-1, 3, 4), 0.2);
  FrictionWorkspace workspace;
  FrictionSolution solution;
  const std::vector<double> start(2);
  CHECK_THROWS_WITH(find_friction_solver("coulomb")->solve(problem, {}, start, workspace, solution),
                    "friction problem: the warm start has 2 entries, not 3");
}

/// r ∈ K, p − r ∈ −K*, and their product zero: that is what a projection is.
TEST_CASE("the projection on the cone of rolling friction obeys its conditions") {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> even(-1, 1);
  for (int i = 0; i < 1000; ++i) {
    Eigen::VectorXd p(5);
    for (double& x : p) x = even(random);
    const double mu = 0.1 + (i % 10) * 0.3, mu_rolling = 0.05 + (i % 7) * 0.2;
    Eigen::VectorXd r = p;
    project_on_rolling_cone(mu, mu_rolling, r.data());
    const Eigen::VectorXd rest = r - p;  // ∈ K*: rest_n ≥ μ|rest_t| + μ_m|rest_m|
    CHECK(r.segment(1, 2).norm() <= mu * r[0] + 1e-15);
    CHECK(r.segment(3, 2).norm() <= mu_rolling * r[0] + 1e-15);
    CHECK(rest[0] >=
          mu * rest.segment(1, 2).norm() + mu_rolling * rest.segment(3, 2).norm() - 1e-14);
    CHECK(std::abs(r.dot(rest)) < 1e-14);
  }
}

}  // namespace
}  // namespace pequod
