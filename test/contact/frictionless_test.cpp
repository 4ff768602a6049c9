// Contact without friction: complementarity, energy, and the answers of other methods.
#include <doctest/doctest.h>

#include "contact/solvers/registry/lcp_solvers.h"
#include "test/contact/scenes.h"
#include "test/support/worst.h"

using namespace pequod;
using namespace pequod::test;

namespace {

/// Calls visit for each island of random scenes; c is zero in half of them (velocities), and
/// otherwise the accelerations that curvature asks for.
template <typename Visit>
void for_islands(std::uint64_t seed, int scenes, const Visit& visit) {
  Random random(seed);
  for (int trial = 0; trial < scenes; ++trial) {
    Scene scene = random_scene(random);
    for (ContactProblem& problem : scene.problems) {
      // c in the range of Gᵀ, so that repeated rows do not contradict each other.
      if (trial % 2 == 1) {
        VectorXd x(problem.m);
        for (double& value : x) value = random.uniform(-1.0, 1.0);
        problem.c = normal_speeds(problem, x);
      }
      visit(random, problem);
    }
  }
}

ContactSolution solve(const ContactProblem& problem, const LeastDistanceSolver& solver) {
  ContactWorkspace workspace;
  ContactSolution solution;
  solve_frictionless(problem, solver, {}, workspace, solution);
  REQUIRE(solution.status == SolveStatus::solved);
  return solution;
}

/// |y| plus what the impulses moved: the size of velocities in a problem, in the metric.
double size_of(const ContactProblem& problem, const ContactSolution& solution) {
  return problem.y.norm() + solution.y.norm();
}

}  // namespace

TEST_CASE("frictionless contact: impulses push, nothing approaches, what separates is not pushed") {
  for (const LeastDistanceSolver& solver : least_distance_solvers()) {
    Worst apart, push, slack, balance, residual;
    int carrying = 0;
    for_islands(81, 400, [&](Random&, const ContactProblem& problem) {
      const ContactSolution solution = solve(problem, solver);
      const double size = size_of(problem, solution);
      const VectorXd speed = normal_speeds(problem, solution.y) - problem.c;
      for (int i = 0; i < problem.n; ++i) {
        const double length = problem.normals.col(i).norm();
        apart.see(-speed[i] / (length * size));
        push.see(-solution.fn[i] * length / size);
        slack.see(std::abs(solution.fn[i] * speed[i]) / (size * size));
        carrying += solution.fn[i] > 0.0;
        CHECK_FALSE(nth(solution.sticking, i));
      }
      CHECK(solution.ft.isZero(0.0));
      balance.see((after_impulses(problem, solution.fn, solution.ft) - solution.y).norm() / size);
      residual.see(solution.residual);
    });
    MESSAGE(solver.name << ": " << carrying << " carry; approach " << apart.value() << ", pull "
                        << push.value() << ", slack " << slack.value() << ", balance "
                        << balance.value() << ", residual " << residual.value());
    // The solvers stop at 1e-13 of the problem's scale; rows on top of each other cost some digits.
    CHECK(apart.value() < 1e-11);
    CHECK(push.value() < 1e-12);
    CHECK(slack.value() < 1e-11);
    CHECK(balance.value() < 1e-11);
    CHECK(residual.value() < 1e-11);
  }
}

TEST_CASE("all solvers agree with each other") {
  const LeastDistanceSolver& reference = default_solver();
  Worst others;
  for_islands(82, 300, [&](Random&, const ContactProblem& problem) {
    const ContactSolution solution = solve(problem, reference);
    const double size = size_of(problem, solution);
    for (const LeastDistanceSolver& solver : least_distance_solvers())
      others.see((solve(problem, solver).y - solution.y).norm() / size);
  });
  CHECK(others.value() < 1e-8);
}

namespace {

/// Robots and bodies of random trees, as A f + b ≥ 0 with A = GᵀG, by one solver of
/// complementarity problems; the velocities y + G f are compared.
/// @param lost  the part of the problems that it may fail to solve, if it says so
void check_on_trees(std::string_view name, int scenes, double lost) {
  Worst off;
  int unsolved = 0, problems = 0;
  LcpWorkspace workspace;
  LcpSolution lcp;
  for_islands(84, scenes, [&](Random&, const ContactProblem& problem) {
    const ContactSolution solution = solve(problem, default_solver());
    const MatrixXd G = problem.normals.matrix();
    if (name == "enumerate" && G.cols() > 12) return;
    find_lcp_solver(name)->solve({G.transpose() * G, normal_speeds(problem, problem.y) - problem.c},
                                 {}, {}, workspace, lcp);
    ++problems;
    if (lcp.status == SolveStatus::solved)
      off.see((problem.y + G * lcp.z - solution.y).norm() / size_of(problem, solution));
    else
      ++unsolved;
    CHECK(lcp.status != SolveStatus::no_solution);
  });
  MESSAGE(name << ": " << problems << " problems, " << unsolved << " unsolved, velocities off by "
               << off.value());
  CHECK(unsolved <= lost * problems);
  CHECK(off.value() < 1e-8);  // A = GᵀG squares the condition number of G
}

void check_all_on_trees(int scenes) {
  for (const std::string_view name : {"auto", "dual", "ppm", "lemke"})
    check_on_trees(name, scenes, 0.0);
  for (const std::string_view name : {"dantzig", "semismooth-newton"})
    check_on_trees(name, scenes, 0.05);
}

}  // namespace

TEST_CASE("complementarity solvers find the velocities of random trees") {
  check_all_on_trees(200);
  check_on_trees("enumerate", 20, 0.0);
}

TEST_SUITE("long") {
  TEST_CASE("complementarity solvers find the velocities of random trees, 10 000 scenes") {
    check_all_on_trees(10000);
  }
}

TEST_CASE("without friction no impact gains energy, and no push dissipates more than this one") {
  Worst gain, better;
  for_islands(83, 400, [&](Random& random, const ContactProblem& problem) {
    if (!problem.c.isZero(0.0)) return;
    const ContactSolution solution = solve(problem, default_solver());
    const double before = problem.y.squaredNorm(), after = solution.y.squaredNorm();
    gain.see((after - before) / before);
    for (int k = 0; k < 30; ++k) {
      // Other pushes f ≥ 0, near the solution and far from it.
      VectorXd f = solution.fn;
      const double spread = std::exp(random.uniform(-10.0, 0.0));
      for (double& x : f) x = std::max(0.0, x + spread * random.uniform(-1.0, 1.0));
      better.see((after - (problem.y + problem.normals.matrix() * f).squaredNorm()) / before);
    }
  });
  MESSAGE("gain " << gain.value() << ", a better push by " << better.value());
  CHECK(gain.value() < 1e-13);  // rounding of the energies
  CHECK(better.value() < 1e-13);
}

TEST_CASE("a warm start changes the pivots, not the velocities") {
  Worst off;
  int cold = 0, warm = 0;
  for_islands(84, 200, [&](Random&, const ContactProblem& problem) {
    const ContactSolution first = solve(problem, default_solver());
    ContactWorkspace workspace;
    ContactSolution again;
    solve_frictionless(problem, default_solver(), first.active, workspace, again);
    off.see((again.y - first.y).norm() / size_of(problem, first));
    cold += first.pivots;
    warm += again.pivots;
  });
  MESSAGE("off " << off.value() << ", pivots " << cold << " cold, " << warm << " warm");
  CHECK(off.value() < 1e-11);
  CHECK(warm <= cold);
}

TEST_CASE("contacts that already separate, or none at all, change nothing") {
  Scene scene = balls_in_a_row({1.0, 2.0}, 0.1);
  scene.state.v[9] = 1.0;  // the second flies off
  pose(scene);
  const ContactSolution apart = solve(scene.problems[0], default_solver());
  CHECK(apart.y == scene.problems[0].y);
  CHECK(apart.fn[0] == 0.0);

  ContactProblem none;
  none.m = 6;
  none.normals.reset(6);
  none.tangents.reset(6);
  none.y = VectorXd::Ones(6);
  const ContactSolution free = solve(none, default_solver());
  CHECK(free.y == none.y);
  CHECK(free.fn.size() == 0);
}

TEST_CASE("a ball of 10⁶ kg pushes one of 1 kg aside, whichever comes first") {
  for (const bool heavy_first : {false, true}) {
    const double a = heavy_first ? 1e6 : 1.0, b = heavy_first ? 1.0 : 1e6;
    Scene scene = balls_in_a_row({a, b}, 0.1);
    scene.state.v[3] = 1.0;
    pose(scene);
    const ContactSolution solution = solve(scene.problems[0], default_solver());
    VectorXd v = solution.y;
    island_solve_L(scene.model, scene.factor, scene.islands[0], v);
    const double together = a / (a + b);  // both keep the common momentum
    CHECK(v[3] == doctest::Approx(together).epsilon(1e-14));
    CHECK(v[9] == doctest::Approx(together).epsilon(1e-14));
    CHECK(solution.fn[0] == doctest::Approx(a * b / (a + b)).epsilon(1e-14));
  }
}
