#include "contact/solvers/friction/bodies/body_friction.h"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>

#include "contact/solvers/friction/dense/coulomb_chain.h"
#include "test/contact/solvers/body_packing.h"
#include "test/support/cone.h"

namespace pequod {
namespace {

using test::body_packing;
using test::BodyPacking;

// Natural map of r in contact units, from the dense W alone.
double own_residual(const FrictionProblem& dense, const Eigen::VectorXd& r) {
  const Eigen::VectorXd u = dense.W * r + dense.q;
  double sum = 0.0, rho = 0.0, speed = 0.0, free = 0.0;
  for (Eigen::Index i = 0; i < dense.mu.size(); ++i) {
    const double d = std::sqrt(3.0 / dense.W.block<3, 3>(3 * i, 3 * i).trace());
    const Eigen::Vector3d force = r.segment<3>(3 * i) / d, slip = u.segment<3>(3 * i) * d;
    Eigen::Vector3d p = force - slip;
    p[0] -= dense.mu[i] * slip.tail<2>().norm();
    sum += (force - test::onto_cone(p, dense.mu[i])).squaredNorm();
    rho += force.squaredNorm();
    speed += slip.squaredNorm();
    free += (d * dense.q.segment<3>(3 * i)).squaredNorm();
  }
  return std::sqrt(sum / std::max({rho, speed, free}));
}

// y ← −Jᵀ r
void stop_by(BodyProblem& problem, const Eigen::VectorXd& r) {
  problem.y.setZero();
  problem.b.setZero();
  for (std::size_t i = 0; i < problem.on.size(); ++i)
    for (std::size_t side = 0; side < 2; ++side) {
      const int body = problem.on[i][side];
      if (body < 0) continue;
      const double* rows = problem.rows.data() + 2 * kBodyRows * i + kBodyRows * side;
      for (int k = 0; k < 3; ++k)
        for (int c = 0; c < kBodyWidth; ++c)
          problem.y[kBodyWidth * body + c] -=
              rows[kBodyWidth * k + c] * r[3 * static_cast<Eigen::Index>(i) + k];
    }
}

std::vector<BodyPacking> packings() {
  std::vector<BodyPacking> all;
  for (const double friction : {0.0, 0.1, 0.3, 1.0})
    for (const double speed : {0.0, 0.1, 1.0}) {
      all.push_back({.edge = 3, .friction = friction, .speed = speed});
      all.push_back({.edge = 3, .points = 4, .friction = friction, .speed = speed});
      all.push_back({.edge = 4, .friction = friction, .speed = speed, .mass_ratio = 1000.0});
    }
  return all;
}

// 36 packings of 99 to 396 contacts. The residual is found again from a dense W, to the rounding
// that it brings. 30 are solved; the others have friction and wedge each other, so that impulses
// drift far before they fit. None ends above 1e-3, the least that is of use.
TEST_CASE("many contacts are solved in the coordinates of the bodies") {
  std::mt19937_64 random(1);
  BodyFrictionWorkspace workspace;
  BodyFrictionSolution solution;
  int solved = 0, count = 0;
  double worst = 0.0, off = 0.0;
  for (const BodyPacking& packing : packings()) {
    const BodyProblem problem = body_packing(packing, random);
    solve_body_friction(problem, {}, {}, workspace, solution);
    const double residual = own_residual(test::dense_problem(problem), solution.r);
    CHECK(solution.converged == (solution.residual.all <= 1e-8));
    off = std::max(off, std::abs(residual - solution.residual.all));
    solved += solution.converged;
    worst = std::max(worst, residual);
    ++count;
  }
  std::printf("%d of %d packings to 1e-8, worst %.1e\n", solved, count, worst);
  CHECK(off < 1e-12);
  CHECK(solved >= count * 8 / 10);
  CHECK(worst < 1e-3);
}

// Speeds may differ where several solve the problem; a problem without friction has one.
TEST_CASE("the dense chain agrees with it, exactly so without friction") {
  std::mt19937_64 random(2);
  BodyFrictionWorkspace workspace;
  BodyFrictionSolution solution;
  FrictionWorkspace dense_workspace;
  FrictionSolution reference;
  for (const double friction : {0.0, 0.5}) {
    for (const double speed : {0.0, 0.1}) {
      const BodyProblem problem =
          body_packing({.edge = 2, .friction = friction, .speed = speed}, random);
      const FrictionProblem dense = test::dense_problem(problem);
      solve_body_friction(problem, {.tolerance = 1e-11}, {}, workspace, solution);
      solve_coulomb(dense, {}, {}, dense_workspace, reference);
      CHECK(solution.converged);
      REQUIRE(reference.status == SolveStatus::solved);
      CHECK(own_residual(dense, reference.r) < 1e-10);
      const Eigen::VectorXd u = dense.W * solution.r + dense.q;
      if (friction == 0.0)
        for (int i = 0; i < problem.contacts(); ++i)
          CHECK(std::abs(u[3 * i] - reference.u[3 * i]) < 1e-9);
    }
  }
}

// Whatever was left undone: forces in their cones, each equal and opposite, and nothing gained,
// from a warm start that belongs to quite another motion.
TEST_CASE("at any budget energy is not gained and impulses are equal and opposite") {
  std::mt19937_64 random(3);
  BodyFrictionWorkspace workspace;
  BodyFrictionSolution solution;
  double gained = 0.0, momentum = 0.0, cone = 0.0;
  for (const BodyPacking& packing : packings()) {
    const BodyProblem problem = body_packing(packing, random);
    const FrictionProblem dense = test::dense_problem(problem);
    std::uniform_real_distribution<double> chance(0.0, 0.1);
    std::vector<double> warm(static_cast<std::size_t>(3 * problem.contacts()));
    for (double& x : warm) x = chance(random);
    for (const int sweeps : {1, 3, 10, 30}) {
      for (const bool cold : {false, true}) {
        const BodyFrictionOptions few{.tolerance = 1e-12, .sweeps = sweeps, .factors = 0};
        solve_body_friction(problem, few, cold ? std::span<const double>() : warm, workspace,
                            solution);
        const double before = problem.y.squaredNorm();
        gained = std::max(gained, solution.y.squaredNorm() / before - 1.0);
        // Jᵀ r of a sum of its own, by W: r·(W r) is |Jᵀ r|².
        const double moved = (solution.y - problem.y).squaredNorm();
        momentum = std::max(momentum, std::abs(moved - solution.r.dot(dense.W * solution.r)) /
                                          std::max(moved, 1e-300));
        for (int i = 0; i < problem.contacts(); ++i) {
          const Eigen::Vector3d r = solution.r.segment<3>(3 * i);
          cone = std::max(cone, r.tail<2>().norm() - packing.friction * r[0]);
          cone = std::max(cone, -r[0]);
        }
      }
    }
  }
  std::printf("at 1 to 30 sweeps: gain %.1e, impulses off by %.1e, outside the cones by %.1e\n",
              gained, momentum, cone);
  CHECK(gained < 1e-12);
  CHECK(momentum < 1e-12);
  CHECK(cone < 1e-12);
}

// Impulses drawn inside of the cones, and the motion that they stop. From near them rest is found,
// and W tells that nothing moves; from those on the edge of the cones, too, however the chain
// gets there.
TEST_CASE("bodies that impulses in the cones can hold are held to rounding") {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> chance(0.0, 1.0);
  BodyFrictionWorkspace workspace;
  BodyFrictionSolution solution;
  for (const int points : {1, 4}) {
    for (const double share : {0.6, 1.0}) {
      BodyProblem problem =
          body_packing({.edge = 4, .points = points, .friction = 0.5, .mass_ratio = 10.0}, random);
      const Eigen::Index size = 3 * static_cast<Eigen::Index>(problem.contacts());
      Eigen::VectorXd holding(size);
      std::vector<double> warm(static_cast<std::size_t>(size));
      for (Eigen::Index i = 0; i < size; i += 3) {
        const double turn = 6.28 * chance(random), normal = 0.5 + chance(random);
        const double friction = 0.5 * share * normal;
        holding.segment<3>(i) << normal, friction * std::cos(turn), friction * std::sin(turn);
      }
      for (Eigen::Index i = 0; i < size; ++i)
        warm[static_cast<std::size_t>(i)] = holding[i] * (1.0 + 1e-4 * chance(random));
      stop_by(problem, holding);
      solve_body_friction(problem, {}, warm, workspace, solution);
      const FrictionProblem dense = test::dense_problem(problem);
      CHECK(own_residual(dense, solution.r) < (share < 1.0 ? 1e-14 : 1e-8));
      if (share < 1.0) {
        CHECK(solution.stage == "rest");
        CHECK(solution.y.norm() < 1e-14 * problem.y.norm());
      }
      // What pulls is held where friction wedges bodies, if at all; W knows.
      problem.y = -problem.y;
      solve_body_friction(problem, {}, warm, workspace, solution);
      const double residual = own_residual(test::dense_problem(problem), solution.r);
      CHECK(std::abs(residual - solution.residual.all) < 1e-12);
      if (solution.stage == "rest") CHECK(residual < 1e-13);
    }
  }
}

TEST_CASE("momentum of free bodies is that before to rounding") {
  std::mt19937_64 random(4);
  BodyProblem problem = body_packing({.edge = 4, .speed = 1.0, .mass_ratio = 10.0}, random);
  // Without ground and walls; masses are read from the rows along the normals.
  std::vector<double> root(static_cast<std::size_t>(problem.bodies()), 0.0);
  BodyProblem free;
  free.reset(problem.bodies());
  free.y = problem.y;
  for (std::size_t i = 0; i < problem.on.size(); ++i) {
    const double* rows = problem.rows.data() + 2 * kBodyRows * i;
    for (std::size_t side = 0; side < 2; ++side)
      if (const int body = problem.on[i][side]; body >= 0)
        root[static_cast<std::size_t>(body)] =
            1.0 / Eigen::Map<const Eigen::Vector3d>(rows + kBodyRows * side + 3).norm();
    if (problem.on[i][0] < 0) continue;
    free.on.push_back(problem.on[i]);
    free.rows.insert(free.rows.end(), rows, rows + 2 * kBodyRows);
    free.mu.push_back(0.3);
  }
  free.b.setZero(3 * static_cast<Eigen::Index>(free.contacts()));
  BodyFrictionWorkspace workspace;
  BodyFrictionSolution solution;
  const auto momentum = [&](const Eigen::VectorXd& y) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (int i = 0; i < free.bodies(); ++i)
      sum += root[static_cast<std::size_t>(i)] * y.segment<3>(kBodyWidth * i + 3);
    return sum;
  };
  double size = 0.0;
  for (int i = 0; i < free.bodies(); ++i)
    size += root[static_cast<std::size_t>(i)] * free.y.segment<3>(kBodyWidth * i + 3).norm();
  for (const int sweeps : {1, 10, 3000}) {
    solve_body_friction(free, {.sweeps = sweeps}, {}, workspace, solution);
    CHECK((momentum(solution.y) - momentum(free.y)).norm() < 1e-13 * size);
  }
}

TEST_CASE("the same bits twice, and in another order of contacts another solution as good") {
  std::mt19937_64 random(5);
  const BodyProblem problem = body_packing({.edge = 4, .speed = 0.1}, random);
  BodyFrictionWorkspace workspace, other;
  BodyFrictionSolution first, second;
  solve_body_friction(problem, {}, {}, workspace, first);
  const BodyProblem larger = body_packing({.edge = 5}, random);
  solve_body_friction(larger, {}, {}, workspace, second);  // leaves no trace
  solve_body_friction(problem, {}, {}, workspace, second);
  CHECK(first.r == second.r);
  CHECK(first.y == second.y);
  BodyProblem mixed = problem;
  std::vector<std::size_t> order(problem.on.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  for (std::size_t i = 0; i < order.size(); ++i) {
    mixed.on[i] = problem.on[order[i]];
    std::copy_n(problem.rows.data() + 2 * kBodyRows * order[i], 2 * kBodyRows,
                mixed.rows.data() + 2 * kBodyRows * i);
  }
  solve_body_friction(mixed, {}, {}, other, second);
  CHECK(first.converged);
  CHECK(second.converged);
  CHECK((first.y - second.y).norm() < 1e-2 * problem.y.norm());
}

// By hand: a ball of 1 kg on the ground, pressed by g h and pushed aside.
TEST_CASE("a ball that is pushed sticks, or slides with friction mu times its weight") {
  BodyProblem problem;
  BodyFrictionWorkspace workspace;
  BodyFrictionSolution solution;
  for (const double push : {0.01, 0.2}) {
    problem.reset(1);
    problem.y << 0.0, 0.0, 0.0, push, 0.0, -0.1;
    problem.on.push_back({-1, 0});
    problem.rows.assign(2 * kBodyRows, 0.0);
    for (int k = 0; k < 3; ++k)  // no turn: a ball on rails
      problem.rows[static_cast<std::size_t>(kBodyRows + kBodyWidth * k + 3 + (k + 2) % 3)] = 1.0;
    problem.mu.push_back(0.5);
    problem.b.setZero(3);
    solve_body_friction(problem, {.tolerance = 1e-14}, {}, workspace, solution);
    CHECK(solution.r[0] == doctest::Approx(0.1).epsilon(1e-14));
    CHECK(solution.r[1] == doctest::Approx(-std::min(push, 0.05)).epsilon(1e-14));
    CHECK(solution.y[3] == doctest::Approx(push - std::min(push, 0.05)).epsilon(1e-14));
    CHECK(solution.modes[0] == (push < 0.05 ? FrictionMode::stick : FrictionMode::slide));
  }
}

}  // namespace
}  // namespace pequod
