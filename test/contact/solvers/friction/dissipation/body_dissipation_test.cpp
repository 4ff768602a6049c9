// Most dissipation of many bodies in their own coordinates, against the same model over W.
#include "contact/solvers/friction/dissipation/body_dissipation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>

#include "test/contact/solvers/body_packing.h"

namespace pequod {
namespace {

using test::body_packing;
using test::BodyPacking;

std::vector<BodyPacking> rubbing_packings() {
  std::vector<BodyPacking> all;
  for (const double friction : {0.1, 0.3, 1.0})
    for (const double speed : {0.0, 0.1, 1.0})
      for (const double ratio : {1.0, 1000.0}) {
        all.push_back({.edge = 3, .friction = friction, .speed = speed, .mass_ratio = ratio});
        all.push_back(
            {.edge = 2, .points = 4, .friction = friction, .speed = speed, .mass_ratio = ratio});
      }
  return all;
}

BodyProblem packing_with_slippery_contacts(const BodyPacking& packing, std::mt19937_64& random) {
  BodyProblem problem = body_packing(packing, random);
  for (std::size_t i = 0; i < problem.mu.size(); i += 7) problem.mu[i] = 0.0;
  return problem;
}

// [1 + NᵀΛN, −1; −1, −GᵀΓG] (a, v), product by product.
std::pair<Eigen::VectorXd, Eigen::VectorXd> apply_saddle(const ScaledBodies& problem,
                                                         const std::vector<double>& along,
                                                         const std::vector<double>& gives,
                                                         const Eigen::VectorXd& a,
                                                         const Eigen::VectorXd& v) {
  Eigen::VectorXd first = a - v, second = -a;
  for (int i = 0; i < problem.n(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    ScaledContact contact = problem.contacts[at];
    contact.b = {};
    Eigen::Vector3d moved;
    contact_speed(contact, a.data(), moved.data());
    const Eigen::Vector3d push(along[at] * moved[0], 0.0, 0.0);
    add_impulse(contact, push.data(), first.data());
    contact_speed(contact, v.data(), moved.data());
    const Eigen::Map<const Eigen::Matrix3d> given(gives.data() + 9 * at);
    const Eigen::Vector3d taken = -(given * moved);
    add_impulse(contact, taken.data(), second.data());
  }
  return {first, second};
}

// Weights between 1e-3 and 1e3, so that 1e-10 is what a stable factor leaves.
TEST_CASE("the factor of two motions of touching bodies solves their system") {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> chance(-1.0, 1.0);
  for (const int points : {1, 4}) {
    ScaledBodies problem;
    scale_bodies(body_packing({.edge = 3, .points = points}, random), problem);
    std::vector<double> along, gives;
    for (int i = 0; i < problem.n(); ++i) {
      along.push_back(std::pow(10.0, 3.0 * chance(random)));
      const Eigen::Matrix3d root =
          std::pow(10.0, 1.5 * chance(random)) *
          Eigen::Matrix3d::NullaryExpr([&](Eigen::Index, Eigen::Index) { return chance(random); });
      const Eigen::Matrix3d given = root * root.transpose();
      gives.insert(gives.end(), given.data(), given.data() + 9);
    }
    BodySaddle saddle;
    saddle.analyse(problem);
    saddle.factorise(problem, along, gives);
    Eigen::VectorXd a = Eigen::VectorXd::NullaryExpr(problem.y_free.size(),
                                                     [&](Eigen::Index) { return chance(random); }),
                    v = a.reverse();
    a.tail<kBodyWidth>().setZero();
    v.tail<kBodyWidth>().setZero();
    auto [first, second] = apply_saddle(problem, along, gives, a, v);
    first.tail<kBodyWidth>().setZero();
    second.tail<kBodyWidth>().setZero();
    saddle.solve(first, second);
    CHECK((first - a).norm() <= 1e-10 * a.norm());
    CHECK((second - v).norm() <= 1e-10 * v.norm());
  }
}

// The motion that is left is unique, so energies of two solutions differ by what each may be above
// the least: 1e-8 of S², S the speeds of all contacts in contact units.
TEST_CASE("most dissipation over bodies is that over W") {
  std::mt19937_64 random(5);
  BodyDissipationWorkspace workspace;
  MaximumDissipationWorkspace dense_workspace;
  MaximumDissipationSolution solution, dense;
  DissipationPoint point;
  int count = 0, solved = 0;
  double apart = 0.0, worst = 0.0;
  for (const BodyPacking& packing : rubbing_packings()) {
    const BodyProblem problem = packing_with_slippery_contacts(packing, random);
    solve_maximum_dissipation(test::dense_problem(problem), {}, dense_workspace, dense);
    REQUIRE(dense.status == SolveStatus::solved);
    REQUIRE(solve_body_dissipation(problem, dense.normal, {}, {}, point, workspace, solution));
    ++count;
    solved += solution.status == SolveStatus::solved;
    const double square = workspace.rows.scale * workspace.rows.scale;
    worst = std::max({worst, solution.gap, solution.penetration, solution.cone});
    if (solution.status != SolveStatus::solved) continue;
    apart = std::max(apart, std::abs(solution.energy_change - dense.energy_change) / square);
  }
  std::printf("%d of %d packings to 1e-8, worst %.1e, energies apart by %.1e\n", solved, count,
              worst, apart);
  CHECK(solved >= count - 1);
  CHECK(worst < 1e-6);
  CHECK(apart < 2e-8);
}

// Every contact but each tenth, and which those are.
BodyProblem without_some(const BodyProblem& problem, std::vector<int>& names) {
  BodyProblem part;
  part.reset(problem.bodies());
  part.y = problem.y;
  names.clear();
  std::vector<double> b;
  for (int i = 0; i < problem.contacts(); ++i) {
    if (i % 10 == 3) continue;
    const auto at = static_cast<std::size_t>(i);
    names.push_back(i);
    part.on.push_back(problem.on[at]);
    part.rows.insert(part.rows.end(), problem.of(i, 0), problem.of(i, 0) + 2 * kBodyRows);
    part.mu.push_back(problem.mu[at]);
    for (int k = 0; k < 3; ++k) b.push_back(problem.b[3 * i + k]);
  }
  part.b = Eigen::Map<const Eigen::VectorXd>(b.data(), static_cast<Eigen::Index>(b.size()));
  return part;
}

// As above, judged by the model over W.
TEST_CASE("most dissipation goes on from fewer contacts to the same end") {
  std::mt19937_64 random(17);
  BodyDissipationWorkspace workspace;
  MaximumDissipationWorkspace dense_workspace;
  MaximumDissipationSolution solution, dense;
  std::vector<int> names;
  double apart = 0.0;
  int anew = 0, further = 0, count = 0;
  for (const double friction : {0.1, 0.3, 1.0}) {
    const BodyProblem problem =
        packing_with_slippery_contacts({.edge = 3, .friction = friction, .speed = 0.1}, random);
    const BodyProblem part = without_some(problem, names);
    DissipationPoint point;
    point.reset(problem.contacts());
    solve_maximum_dissipation(test::dense_problem(part), {}, dense_workspace, dense);
    REQUIRE(solve_body_dissipation(part, dense.normal, {}, names, point, workspace, solution));
    REQUIRE(point.is_set());
    solve_maximum_dissipation(test::dense_problem(problem), {}, dense_workspace, dense);
    REQUIRE(solve_body_dissipation(problem, dense.normal, {}, {}, point, workspace, solution));
    anew += solution.iterations;
    names.resize(static_cast<std::size_t>(problem.contacts()));
    std::iota(names.begin(), names.end(), 0);
    REQUIRE(solve_body_dissipation(problem, dense.normal, {}, names, point, workspace, solution));
    REQUIRE(solution.status == SolveStatus::solved);
    further += solution.iterations;
    const double square = workspace.rows.scale * workspace.rows.scale;
    apart = std::max(apart, std::abs(solution.energy_change - dense.energy_change) / square);
    ++count;
  }
  std::printf("%d iterations where %d were needed from nothing, energies apart by %.1e\n", further,
              anew, apart);
  CHECK(count == 3);
  CHECK(apart < 2e-8);
}

// y + Jᵀr, summed anew, off `moved`, as a share of all terms of the sum: impulses that wedge bodies
// are far larger than what they move.
double off_motion(const BodyProblem& problem, const Eigen::VectorXd& r,
                  const Eigen::VectorXd& moved) {
  using Rows = Eigen::Map<const Eigen::Matrix<double, 3, kBodyWidth, Eigen::RowMajor>>;
  Eigen::VectorXd own = problem.y;
  double terms = own.norm();
  for (std::size_t k = 0; k < 2 * problem.on.size(); ++k) {
    const int body = problem.on[k / 2][k % 2];
    if (body < 0) continue;
    const Eigen::Vector3d impulse = r.segment<3>(3 * static_cast<Eigen::Index>(k / 2));
    const Eigen::Matrix<double, kBodyWidth, 1> change =
        Rows(problem.rows.data() + kBodyRows * k).transpose() * impulse;
    own.segment<kBodyWidth>(kBodyWidth * body) += change;
    terms += change.norm();
  }
  return (own - moved).norm() / terms;
}

// From no iteration on: phase I gains nothing, and what is returned leaves no more than it does.
// Impulses are in their cones and within the bound on their sum, the motion is theirs.
TEST_CASE("cut short, most dissipation gains no energy and keeps its bounds" *
          doctest::test_suite("heavy")) {
  std::mt19937_64 random(6);
  BodyDissipationWorkspace workspace;
  MaximumDissipationWorkspace dense_workspace;
  MaximumDissipationSolution solution, dense;
  DissipationPoint point;
  double gained = -1.0, cone = 0.0, moved = 0.0;
  for (const BodyPacking& packing : rubbing_packings()) {
    const BodyProblem problem = packing_with_slippery_contacts(packing, random);
    solve_maximum_dissipation(test::dense_problem(problem), {}, dense_workspace, dense);
    for (const int iterations : {0, 1, 3, 6}) {
      MaximumDissipationOptions options;
      options.max_iterations = iterations;
      REQUIRE(
          solve_body_dissipation(problem, dense.normal, options, {}, point, workspace, solution));
      const Eigen::VectorXd y = workspace.y.head(problem.y.size());
      gained = std::max(gained, y.squaredNorm() / problem.y.squaredNorm() - 1.0);
      moved = std::max(moved, off_motion(problem, solution.r, y));
      const double most = solution.r.norm();  // others are what is left of differences of these
      for (int i = 0; i < problem.contacts(); ++i) {
        const Eigen::Vector3d r = solution.r.segment<3>(3 * i);
        const double bound = problem.mu[static_cast<std::size_t>(i)] * r[0];
        cone = std::max({cone, (r.tail<2>().norm() - bound) / most, -r[0] / most});
      }
    }
  }
  CHECK(gained <= 1e-12);
  CHECK(moved <= 1e-14);
  CHECK(cone <= 1e-12);
}

}  // namespace
}  // namespace pequod
