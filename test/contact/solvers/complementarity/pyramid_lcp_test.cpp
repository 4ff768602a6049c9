#include "contact/solvers/complementarity/pyramid_lcp.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "contact/solvers/reference/enumeration.h"
#include "contact/solvers/registry/lcp_solvers.h"
#include "test/support/worst.h"

namespace pequod {
namespace {

using Eigen::MatrixXd, Eigen::Vector3d, Eigen::VectorXd;

LcpSolution solve(const LcpProblem& problem, std::string_view name = "auto") {
  LcpWorkspace workspace;
  LcpSolution solution;
  find_lcp_solver(name)->solve(problem, {}, {}, workspace, solution);
  return solution;
}

/// A point of mass m that hits the floor at velocity v = (normal, tangents).
FrictionContacts point(double m, const Vector3d& v, double mu) {
  return {MatrixXd::Identity(3, 3) / m, v, VectorXd::Constant(1, mu)};
}

// Along an edge the pyramid is the cone: r_n = m v_n, r_t = −μ r_n t, and v_t − μ v_n is left.
TEST_CASE("a point that slides along an edge of the pyramid feels Coulomb friction") {
  for (const int edges : {4, 6, 8, 16}) {
    const double angle = 2 * std::numbers::pi / edges;
    const Vector3d v(-1.0, 2.0 * std::cos(angle), 2.0 * std::sin(angle));
    const FrictionContacts contacts = point(0.5, v, 0.3);
    const LcpSolution solution = solve(pyramid_lcp(contacts, edges));
    REQUIRE(solution.status == SolveStatus::solved);
    const VectorXd r = pyramid_impulses(solution.z, 1, edges);
    const Vector3d cone(0.5, -0.15 * std::cos(angle), -0.15 * std::sin(angle));
    CHECK((r - cone).norm() < 1e-14);
    CHECK((contacts.W * r + contacts.q).tail(2).norm() == doctest::Approx(2.0 - 0.3));
  }
}

// Within the pyramid, the impulse that stops the point is the answer of pyramid and cone alike.
TEST_CASE("a point within its friction pyramid sticks") {
  const FrictionContacts contacts = point(2.0, {-1.0, 0.2, -0.15}, 0.5);
  for (const int edges : {4, 8, 9}) {
    const LcpSolution solution = solve(pyramid_lcp(contacts, edges));
    REQUIRE(solution.status == SolveStatus::solved);
    CHECK((pyramid_impulses(solution.z, 1, edges) + 2.0 * contacts.q).norm() < 1e-13);
  }
}

// Between two edges the boundary is a facet, nearest to the axis at cos(π/k): friction is between
// that and the cone's, in a direction at most π/k off.
TEST_CASE("between edges friction is off by no more than a facet") {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> angle(0.0, 2 * std::numbers::pi);
  for (const int edges : {4, 8, 16}) {
    const double facet = std::cos(std::numbers::pi / edges);
    for (int i = 0; i < 200; ++i) {
      const double a = angle(random);
      const Vector3d v(-1.0, 3.0 * std::cos(a), 3.0 * std::sin(a));
      const LcpSolution solution = solve(pyramid_lcp(point(1.0, v, 0.4), edges));
      REQUIRE(solution.status == SolveStatus::solved);
      const VectorXd r = pyramid_impulses(solution.z, 1, edges);
      CHECK(r[0] == doctest::Approx(1.0));
      const double along = -r.tail(2).dot(v.tail(2)) / (0.4 * v.tail(2).norm());
      CHECK(along >= facet - 1e-12);
      CHECK(r.tail(2).norm() <= 0.4 + 1e-12);
    }
  }
}

TEST_CASE("an open contact of Stewart and Trinkle may close by its gap in the step") {
  const double h = 0.01, gap = 0.002;  // s, m: 0.2 m/s
  const LcpSolution solution = solve(pyramid_lcp(point(1.0, {-0.5 + gap / h, 0.0, 0.0}, 0.3), 8));
  REQUIRE(solution.status == SolveStatus::solved);
  CHECK(pyramid_impulses(solution.z, 1, 8)[0] == doctest::Approx(0.3));
  const LcpSolution far = solve(pyramid_lcp(point(1.0, {0.5, 0.0, 0.0}, 0.3), 8));
  CHECK(far.z.isZero(0.0));
}

/// Contacts on bodies of six coordinates: W = J Jᵀ, q = J v.
FrictionContacts random_friction(std::mt19937_64& random, int contacts, int coordinates) {
  std::normal_distribution<double> normal;
  const auto draw = [&](int rows, int columns) {
    MatrixXd A(rows, columns);
    for (double& x : A.reshaped()) x = normal(random);
    return A;
  };
  const MatrixXd J = draw(3 * contacts, coordinates);
  FrictionContacts result{J * J.transpose(), J * draw(coordinates, 1), VectorXd(contacts)};
  for (double& mu : result.mu) mu = std::uniform_real_distribution<double>(0.0, 1.0)(random);
  return result;
}

/// Work of the impulses on the mean of the velocities before and after, over ½|v|² in the metric.
double energy_gain(const FrictionContacts& contacts, const VectorXd& r) {
  const VectorXd u = contacts.W * r + contacts.q;
  return 0.5 * r.dot(contacts.q + u) / contacts.q.squaredNorm();
}

// Anitescu & Potra 1997: a solution exists for q = N v, and the impact gains no energy.
TEST_CASE("impacts on pyramids are solved and gain no energy") {
  std::mt19937_64 random(5);
  test::Worst gain, residual;
  int lost = 0;
  for (int i = 0; i < 600; ++i) {
    const int n = 1 + static_cast<int>(random() % 4), edges = 4 << random() % 2;
    const FrictionContacts contacts = random_friction(random, n, 6);
    const LcpSolution solution = solve(pyramid_lcp(contacts, edges));
    CHECK(solution.status != SolveStatus::no_solution);
    if (solution.status != SolveStatus::solved) {
      ++lost;
      continue;
    }
    residual.see(solution.residuals.relative);
    gain.see(energy_gain(contacts, pyramid_impulses(solution.z, n, edges)));
  }
  MESSAGE("lost ", lost, ", worst residual ", residual.value(), ", gain ", gain.value());
  CHECK(lost == 0);
  CHECK(gain.value() < 1e-12);
}

// Up to 20 rows: whatever Lemke's method finds is among the solutions that enumeration finds, or at
// least as exact; where enumeration finds one solution alone, it is the same.
TEST_CASE("pyramids of up to 20 rows agree with enumeration") {
  std::mt19937_64 random(6);
  test::Worst off;
  int single = 0;
  for (int i = 0; i < 60; ++i) {
    const bool fine = i % 3 == 0;  // 1 contact with 8 edges, 2 with 4: 10 and 12 rows
    const FrictionContacts contacts = random_friction(random, fine ? 1 : 2, 6);
    const LcpProblem problem = pyramid_lcp(contacts, fine ? 8 : 4);
    const std::vector<VectorXd> all = all_lcp_solutions(problem);
    REQUIRE(!all.empty());
    const LcpSolution solution = solve(problem);
    REQUIRE(solution.status == SolveStatus::solved);
    if (all.size() > 1) continue;
    ++single;
    off.see((solution.w - (problem.M * all[0] + problem.q)).norm() / problem.q.norm());
  }
  MESSAGE(single, " of 60 with one solution, off by ", off.value());
  CHECK(single > 20);
  CHECK(off.value() < 1e-9);
}

TEST_CASE("what does not fit a pyramid is named") {
  CHECK_THROWS_WITH_AS(pyramid_lcp(point(1, {-1, 0, 0}, 0.5), 1),
                       "friction pyramid: 1 edges, at least 2 are needed", std::invalid_argument);
  CHECK_THROWS_WITH_AS(pyramid_lcp(point(1, {-1, 0, 0}, -0.5), 4),
                       "friction pyramid: contact 0 has a coefficient of friction of -0.500000",
                       std::invalid_argument);
  CHECK_THROWS_AS(pyramid_lcp({MatrixXd::Identity(3, 3), VectorXd::Zero(3), VectorXd::Zero(2)}, 4),
                  std::invalid_argument);
}

}  // namespace
}  // namespace pequod
