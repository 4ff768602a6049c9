// Quasistatic contact problems against exact answers and full enumeration.
#include "contact/quasistatic/quasistatic.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "contact/quasistatic/random_problem.h"
#include "test/contact/quasistatic/pang.h"

namespace pequod {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

// A block of weight 1 on a floor that moves along itself; μ, floor velocity and side force given.
QuasistaticProblem block_on_belt(double friction, double belt, double push) {
  QuasistaticProblem problem;
  // Contacts at x = ∓1, y = −0.5 below the centre of gravity; n up, t to the left.
  problem.W_n = MatrixXd(3, 2);
  problem.W_n << 0.0, 0.0, 1.0, 1.0, -1.0, 1.0;
  problem.W_t = MatrixXd(3, 2);
  problem.W_t << -1.0, -1.0, 0.0, 0.0, -0.5, -0.5;
  problem.J_n = MatrixXd::Zero(2, 1);
  problem.J_t = MatrixXd::Constant(2, 1, -1.0);
  problem.driven = {1};
  problem.joint_velocity = VectorXd::Constant(1, belt);
  problem.joint_effort = problem.joint_load = VectorXd::Zero(1);
  problem.object_load = Vector3d(push, -1.0, 0.0);
  problem.friction = Vector2d::Constant(friction);
  return problem;
}

}  // namespace

// Answers of exact rational arithmetic, five digits printed.
TEST_CASE("Pang's data sets 1 to 3 have the known solutions, and no others") {
  const std::vector<std::vector<Vector3d>> known{
      {{0.08676, 0.06252, 0.15619}, {0.11573, -0.04553, 0.60639}, {-0.01258, 0.43302, -0.28672}},
      {{-0.13745, 1.58650, 0.08321}},
      {{-0.41927, 0.94215, 0.22019}}};
  for (int set = 1; set <= 3; ++set) {
    QuasistaticOptions options;
    options.all = true;
    const QuasistaticSolution all = solve_quasistatic(pang_data_set(set), options);
    const std::vector<Vector3d>& expected = known[static_cast<std::size_t>(set - 1)];
    CHECK(all.complete);
    REQUIRE(all.motions.size() == expected.size());
    for (const Vector3d& q : expected)
      CHECK(std::ranges::any_of(all.motions, [&](const QuasistaticMotion& m) {
        return (m.object_velocity - q).lpNorm<Eigen::Infinity>() < 6e-6;
      }));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CHECK(all.residuals[i].worst() < 1e-14);
      CHECK(all.residuals[i].product <= 1e-14);
      CHECK(all.unique[i] == 1);
    }
    const QuasistaticSolution one = solve_quasistatic(pang_data_set(set));
    CHECK(one.method == "bilinear");
    CHECK(one.bilinear.pairs <= 2);
    CHECK(one.residuals.front().worst() < 1e-14);
  }
}

TEST_CASE("Pang's data set 4 is proved to have no solution") {
  const QuasistaticSolution solution = solve_quasistatic(pang_data_set(4));
  CHECK(solution.status == QuasistaticStatus::no_solution);
  CHECK(solution.bilinear.status == BilinearStatus::stationary);
}

TEST_CASE("a block rides on a belt, is dragged along it, or cannot be held") {
  // Pushed less than friction bears it rides; c_t is towards the left, so −push is what it takes.
  const QuasistaticSolution rides = solve_quasistatic(block_on_belt(0.5, 0.2, 0.3));
  REQUIRE(rides.status == QuasistaticStatus::solved);
  CHECK((rides.motions[0].object_velocity - Vector3d(0.2, 0.0, 0.0)).norm() < 1e-14);
  CHECK(rides.motions[0].modes == std::vector(2, QuasistaticMode::rolls));
  CHECK(std::abs(rides.motions[0].c_t.sum() - 0.3) < 1e-14);
  // The belt carries the reaction: τ = Jᵀc.
  CHECK(std::abs(rides.motions[0].joint_effort[0] + 0.3) < 1e-14);
  const QuasistaticSolution pushed = solve_quasistatic(block_on_belt(0.2, 0.2, 0.3));
  CHECK(pushed.status == QuasistaticStatus::no_solution);
  CHECK(pushed.reason.find("no contact forces") != std::string_view::npos);
}

TEST_CASE("a joint of given effort holds a block that leans on it") {
  // The belt is free and bears 0.3 of effort, which the friction must be.
  QuasistaticProblem problem = block_on_belt(0.5, 0.0, 0.3);
  problem.driven = {0};
  problem.joint_effort[0] = -0.3;
  const QuasistaticSolution solution = solve_quasistatic(problem);
  REQUIRE(solution.status == QuasistaticStatus::solved);
  CHECK(std::abs(solution.motions[0].c_t.sum() - 0.3) < 1e-14);
  problem.joint_effort[0] = -0.2;  // out of balance
  CHECK(solve_quasistatic(problem).status == QuasistaticStatus::no_solution);
}

// Random problems made to have a solution: the search through modes finds one in each.
TEST_CASE("problems that are made from a solution are solved") {
  std::mt19937_64 generator(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  double worst = 0.0;
  for (int trial = 0; trial < 100; ++trial) {
    QuasistaticProblem problem = pang_data_set(1);
    for (double& entry : problem.W_n.reshaped()) entry = uniform(generator);
    for (double& entry : problem.W_t.reshaped()) entry = uniform(generator);
    // Contact 1 slides, 2 rolls, 3 breaks.
    const Vector3d q(uniform(generator), uniform(generator), uniform(generator));
    const double slip = uniform(generator);
    const Vector3d v_n(0.0, 0.0, 0.5), v_t(slip, 0.0, uniform(generator));
    const Vector3d c_n(1.0, 0.7, 0.0);
    const Vector3d c_t(slip > 0 ? -problem.friction[0] : problem.friction[0], 0.1, 0.0);
    const Vector3d normal = problem.W_n.transpose() * q - v_n;
    const Vector3d tangent = problem.W_t.transpose() * q - v_t;
    for (int i = 0; i < 3; ++i) {
      problem.joint_velocity[2 * i] = normal[i];
      problem.joint_velocity[2 * i + 1] = tangent[i];
    }
    problem.object_load = -(problem.W_n * c_n + problem.W_t * c_t);
    const QuasistaticSolution solution = solve_quasistatic(problem);
    REQUIRE(solution.status == QuasistaticStatus::solved);
    worst = std::max(worst, solution.residuals[0].worst());
  }
  // Rounding over random 3×3 blocks, of condition up to some 1e3.
  CHECK(worst < 1e-11);
}

// The search uses small programs, pair_in_modes the whole ones, one of 4ⁿ combinations at a time.
TEST_CASE("the search through modes finds a solution where some combination of modes has one") {
  int solvable = 0, unsolvable = 0;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    const int contacts = 3 + static_cast<int>(seed % 2), free = static_cast<int>(seed % 5);
    // Much friction, and joints that give way: many of these have no solution.
    const QuasistaticProblem problem = random_quasistatic({contacts, 4.0, free, seed});
    const UncoupledProblem pair = uncoupled(problem);
    std::vector<QuasistaticMode> modes(static_cast<std::size_t>(contacts));
    bool any = false;
    for (int choice = 0; choice < 1 << (2 * contacts); ++choice) {
      for (int i = 0; i < contacts; ++i)
        modes[static_cast<std::size_t>(i)] = static_cast<QuasistaticMode>((choice >> (2 * i)) & 3);
      any = any || pair_in_modes(pair, modes).has_value();
    }
    const ModeSearch found = search_modes(problem);
    INFO("seed ", seed);
    CHECK(found.complete);
    CHECK(!found.solutions.empty() == any);
    ++(any ? solvable : unsolvable);
  }
  CHECK(solvable >= 10);
  CHECK(unsolvable >= 10);
}

TEST_CASE("vertices of a cube cut by a plane: an edge leads to each neighbour") {
  // x ≤ 1, y ≤ 1 by slacks: the unit square, whose corner 0 has two neighbours.
  MatrixXd A(2, 4);
  A << 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0;
  const Polyhedron square{A, Vector2d::Ones()};
  const Vertex corner = exact_vertex(square, {2, 3});
  CHECK(corner.x == Eigen::Vector4d(0.0, 0.0, 1.0, 1.0));
  const std::vector<Vertex> next = adjacent_vertices(square, corner);
  REQUIRE(next.size() == 2);
  CHECK(next[0].x == Eigen::Vector4d(1.0, 0.0, 0.0, 1.0));
  CHECK(next[1].x == Eigen::Vector4d(0.0, 1.0, 1.0, 0.0));
}

}  // namespace pequod
