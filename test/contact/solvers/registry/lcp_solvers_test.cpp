#include "contact/solvers/registry/lcp_solvers.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <set>
#include <string>

#include "contact/solvers/reference/enumeration.h"
#include "test/support/worst.h"

namespace pequod {
namespace {

using Eigen::MatrixXd, Eigen::Vector2d, Eigen::Vector3d, Eigen::VectorXd;

MatrixXd normal(std::mt19937_64& random, int rows, int columns) {
  std::normal_distribution<double> distribution;
  MatrixXd result(rows, columns);
  for (double& x : result.reshaped()) x = distribution(random);
  return result;
}

template <class Solver, class Problem>
LcpSolution solve(const Solver* solver, const Problem& problem, const VectorXd& start = {}) {
  LcpWorkspace workspace;
  LcpSolution solution;
  solver->solve(problem, {}, start, workspace, solution);
  return solution;
}

TEST_CASE("solvers are found by names, each of which stands once, auto first") {
  std::set<std::string_view> names;
  for (const LcpSolver& solver : lcp_solvers()) {
    CHECK(names.insert(solver.name).second);
    CHECK(find_lcp_solver(solver.name) == &solver);
    CHECK(!solver.description.empty());
  }
  CHECK(lcp_solvers().front().name == "auto");
  CHECK(box_solvers().front().name == "auto");
  CHECK(find_lcp_solver("simplex") == nullptr);
}

// A beam of two supports with its load at a part s of the length: f = m g (1 − s), m g s, whatever
// the method (Baraff 1994 has the same row by row).
TEST_CASE("two supports share the weight of a beam by its lever") {
  const double m = 3.0, g = 9.81, l = 2.0, s = 0.3, inertia = 0.7;
  const double a = -s * l, b = (1 - s) * l;  // supports, from the centre of mass
  const LcpProblem problem{(MatrixXd(2, 2) << 1 / m + a * a / inertia, 1 / m + a * b / inertia,
                            1 / m + a * b / inertia, 1 / m + b * b / inertia)
                               .finished(),
                           Vector2d::Constant(-g)};
  for (const LcpSolver& solver : lcp_solvers()) {
    const LcpSolution solution = solve(&solver, problem);
    INFO(solver.name, ": ", solution.reason);
    REQUIRE(solution.status == SolveStatus::solved);
    CHECK((solution.z - m * g * Vector2d(1 - s, s)).norm() < 1e-9);
  }
}

// Contact i from the top of a stack carries i boxes: f = i m g.
TEST_CASE("a stack of boxes adds up their weights") {
  const int n = 12;
  MatrixXd N = MatrixXd::Identity(n, n);
  for (int i = 1; i < n; ++i) N(i - 1, i) = -1;  // box i − 1 rests on box i, the last on the floor
  const LcpProblem problem{N * N.transpose(), N * VectorXd::Constant(n, -9.81)};
  for (const LcpSolver& solver : lcp_solvers()) {
    const LcpSolution solution = solve(&solver, problem);
    INFO(solver.name, ": ", solution.reason);
    REQUIRE(solution.status == SolveStatus::solved);
    CHECK((solution.z - 9.81 * VectorXd::LinSpaced(n, 1, n)).norm() < 1e-7);
  }
}

// Sixteen contacts under one box: forces are not unique, accelerations and the weight are.
TEST_CASE("hyperstatic contacts carry the weight in any of many ways") {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> side(-1.0, 1.0);
  MatrixXd N = MatrixXd::Ones(16, 3);
  for (int i = 0; i < 16; ++i) {
    N(i, 1) = i < 4 ? (i % 2 == 0 ? 1 : -1) : side(random);  // four corners around the centre
    N(i, 2) = i < 4 ? (i < 2 ? 1 : -1) : side(random);
  }
  const LcpProblem problem{N * N.transpose(), VectorXd::Constant(16, -9.81)};
  for (const LcpSolver& solver : lcp_solvers()) {
    const LcpSolution solution = solve(&solver, problem);
    INFO(solver.name, ": ", solution.reason);
    REQUIRE(solution.status == SolveStatus::solved);
    CHECK(solution.z.sum() == doctest::Approx(9.81));
    CHECK(solution.w.cwiseAbs().maxCoeff() < 1e-8);
  }
}

// Walls that close in on a body: no force helps. Solvers that take the problem prove it.
TEST_CASE("closing walls are refused with a proof by each method that may") {
  const LcpProblem problem{(MatrixXd(2, 2) << 1, -1, -1, 1).finished(), Vector2d(-1.0, 0.5)};
  for (const LcpSolver& solver : lcp_solvers()) {
    const LcpSolution solution = solve(&solver, problem);
    INFO(solver.name, ": ", solution.reason);
    REQUIRE(solution.status == SolveStatus::no_solution);
    CHECK(solution.certificate.minCoeff() > 0);
    CHECK(problem.q.dot(solution.certificate) < 0);
    CHECK((problem.M.transpose() * solution.certificate).maxCoeff() < 1e-12);
  }
}

// w = q whatever z is: without a size of M there is no measure of what is far, nor need for one.
TEST_CASE("a zero matrix with a negative q is refused with a proof") {
  for (const Eigen::Index n : {1, 3}) {
    const LcpProblem problem{MatrixXd::Zero(n, n), VectorXd::LinSpaced(n, 1.0, -1.0)};
    for (const char* name : {"auto", "dantzig", "dual", "lemke", "enumerate"}) {
      const LcpSolution solution = solve(find_lcp_solver(name), problem);
      INFO(name, ": ", solution.reason);
      REQUIRE(solution.status == SolveStatus::no_solution);
      CHECK(std::isinf(ruled_out(problem, solution.certificate)));
    }
  }
}

TEST_CASE("enumeration finds all solutions, or that there is none") {
  // w = −z + 1: z = 0 (w = 1) and z = 1 (w = 0), row by row.
  const LcpProblem two{-MatrixXd::Identity(2, 2), Vector2d::Ones()};
  CHECK(all_lcp_solutions(two).size() == 4);
  const LcpProblem none{-MatrixXd::Identity(1, 1), VectorXd::Constant(1, -1.0)};
  CHECK(all_lcp_solutions(none).empty());
  // M = [0 −1; 1 0], q = (1, −1): w₁ = 1 − z₂, w₂ = z₁ − 1 has z = (1, 1) alone.
  const LcpProblem one{(MatrixXd(2, 2) << 0, -1, 1, 0).finished(), Vector2d(1, -1)};
  const std::vector<VectorXd> all = all_lcp_solutions(one);
  REQUIRE(all.size() == 1);
  CHECK(all[0].isApprox(Vector2d::Ones()));
  const LcpSolution refused =
      solve(find_lcp_solver("enumerate"),
            LcpProblem{-MatrixXd::Identity(1, 1), VectorXd::Constant(1, -1)});
  CHECK(refused.status == SolveStatus::no_solution);
  CHECK(refused.certificate.size() == 1);
  CHECK(solve(find_lcp_solver("enumerate"),
              LcpProblem{MatrixXd::Identity(21, 21), VectorXd::Ones(21)})
            .reason == "21 rows are too many to enumerate");
}

TEST_CASE("a warm start from the solution leaves little to do") {
  std::mt19937_64 random(5);
  for (const std::string_view name :
       {"dantzig", "dual", "ppm", "lemke", "semismooth-newton", "enumerate"}) {
    long cold = 0, warm = 0;
    test::Worst off;
    for (int i = 0; i < 30; ++i) {
      const MatrixXd A = normal(random, 12, 12);
      const LcpProblem problem{A * A.transpose() + MatrixXd::Identity(12, 12),
                               5.0 * normal(random, 12, 1)};
      const LcpSolution first = solve(find_lcp_solver(name), problem);
      const LcpSolution again = solve(find_lcp_solver(name), problem, first.z);
      REQUIRE(again.status == SolveStatus::solved);
      off.see((first.z - again.z).norm());
      cold += first.pivots;
      warm += again.pivots;
    }
    INFO(name, ": ", cold, " pivots cold, ", warm, " warm");
    CHECK(off.value() < 1e-9);
    CHECK(warm <= cold);
  }
}

// A workspace that has seen other problems, of other sizes too, must not show in the answer.
TEST_CASE("a used workspace gives the same bits as a new one") {
  for (const LcpSolver& solver : lcp_solvers()) {
    std::mt19937_64 random(6);
    LcpWorkspace workspace;
    LcpSolution used;
    for (int i = 0; i < 40; ++i) {
      const int n = 1 + static_cast<int>(random() % 12);
      const MatrixXd A = normal(random, n, n);
      const LcpProblem problem{A * A.transpose() + 0.1 * MatrixXd::Identity(n, n),
                               normal(random, n, 1)};
      solver.solve(problem, {}, {}, workspace, used);
      const LcpSolution fresh = solve(&solver, problem);
      INFO(solver.name);
      REQUIRE(used.status == fresh.status);
      CHECK(used.z == fresh.z);
      CHECK(used.w == fresh.w);
      CHECK(used.pivots == fresh.pivots);
    }
  }
}

TEST_CASE("a warm start of another size is refused, one that is not finite ignored") {
  const LcpProblem problem{MatrixXd::Identity(2, 2), Vector2d(-1, -2)};
  CHECK_THROWS_WITH_AS(solve(find_lcp_solver("auto"), problem, VectorXd::Ones(3)),
                       "the warm start has 3 entries but q has 2", std::invalid_argument);
  CHECK(solve(find_lcp_solver("auto"), problem, Vector2d(NAN, 1)).z.isApprox(Vector2d(1, 2)));
}

TEST_CASE("symmetric methods refuse what is not symmetric") {
  const LcpProblem problem{(MatrixXd(2, 2) << 1, 0.5, 0, 1).finished(), Vector2d(-1, -1)};
  for (const std::string_view name : {"dantzig", "dual", "ppm"}) {
    const LcpSolution solution = solve(find_lcp_solver(name), problem);
    CHECK(solution.status == SolveStatus::failed);
    CHECK(solution.reason == "M is not symmetric positive semidefinite");
  }
  const LcpSolution automatic = solve(find_lcp_solver("auto"), problem);
  CHECK(automatic.status == SolveStatus::solved);
  CHECK(automatic.solver == "lemke");
  CHECK(automatic.switches == 0);
}

/// Rows of all kinds with a solution chosen first: free, one bound, the other, both.
BoxProblem random_box(std::mt19937_64& random, int n, VectorXd& z) {
  const MatrixXd A = normal(random, n, n), B = normal(random, n, n);
  BoxProblem problem{A * A.transpose() + B - B.transpose() + MatrixXd::Identity(n, n),
                     {},
                     normal(random, n, 1),
                     {}};
  problem.upper = problem.lower + normal(random, n, 1).cwiseAbs();
  z = problem.lower;
  VectorXd w = VectorXd::Zero(n);
  for (int i = 0; i < n; ++i) {
    const double part = normal(random, 1, 1)(0);
    const auto kind = random() % 5, at = random() % 3;
    if (kind == 0 || kind == 1) problem.upper[i] = INFINITY;
    if (kind == 0 || kind == 2) problem.lower[i] = -INFINITY;
    if (kind == 0 || at == 0) {
      z[i] = kind == 2                         ? problem.upper[i] - 0.3
             : std::isfinite(problem.upper[i]) ? 0.5 * (problem.lower[i] + problem.upper[i])
                                               : z[i] + 0.4;
    } else if (kind == 2 || (kind > 2 && at == 1)) {
      z[i] = problem.upper[i];
      w[i] = -std::abs(part);
    } else {
      w[i] = std::abs(part);
    }
  }
  problem.q = w - problem.M * z;
  return problem;
}

TEST_CASE("boxes with free, one-sided and two-sided rows are solved, warm or cold") {
  for (const std::string_view name : {"auto", "lemke", "semismooth-newton"}) {
    std::mt19937_64 random(7);
    test::Worst off;
    for (int i = 0; i < 300; ++i) {
      VectorXd z;
      const BoxProblem problem = random_box(random, 1 + static_cast<int>(random() % 15), z);
      const LcpSolution solution = solve(find_row(box_solvers(), name), problem);
      INFO(name, ": ", solution.reason);
      REQUIRE(solution.status == SolveStatus::solved);
      off.see((solution.z - z).norm() / std::max(1.0, problem.q.norm()));
      CHECK(solve(find_row(box_solvers(), name), problem, solution.z).status ==
            SolveStatus::solved);
    }
    INFO(name, ": off by ", off.value());
    CHECK(off.value() < 1e-9);
  }
}

TEST_CASE("symmetric boxes are solved alike by all") {
  std::mt19937_64 random(8);
  test::Worst off;
  for (int i = 0; i < 100; ++i) {
    const MatrixXd A = normal(random, 8, 8);
    const BoxProblem problem{A * A.transpose() + MatrixXd::Identity(8, 8), normal(random, 8, 1),
                             VectorXd::Constant(8, -0.2), VectorXd::Constant(8, 0.1)};
    const LcpSolution first = solve(find_row(box_solvers(), "auto"), problem);
    for (const BoxSolver& solver : box_solvers()) {
      const LcpSolution solution = solve(&solver, problem);
      INFO(solver.name, ": ", solution.reason);
      REQUIRE(solution.status == SolveStatus::solved);
      off.see((solution.z - first.z).norm());
    }
  }
  CHECK(off.value() < 1e-9);
}

// An equality block of rank one: x₁ and x₂ push alike, and only their sum is held.
TEST_CASE("a mixed problem with a singular equality block is solved") {
  MlcpProblem problem{MatrixXd::Zero(3, 3), Vector3d(-1.0, -1.0, -2.0), {1, 1, 0}};
  problem.M << 1, 1, 1,  //
      1, 1, 0,           //
      1, 0, 1;
  // w₁ − w₂ = z₃ = 0, so x₁ + x₂ = 1 and w₃ = x₁ − 2 ≥ 0.
  // Lemke's method alone ends on a ray: what is left of the equalities is no copositive LCP.
  CHECK(solve(find_row(box_solvers(), "lemke"), as_box(problem)).status == SolveStatus::failed);
  for (const std::string_view name : {"auto", "semismooth-newton"}) {
    const LcpSolution solution = solve(find_row(box_solvers(), name), as_box(problem));
    INFO(name, ": ", solution.reason);
    REQUIRE(solution.status == SolveStatus::solved);
    CHECK(std::abs(solution.z[2]) < 1e-9);
    CHECK(solution.z[0] + solution.z[1] == doctest::Approx(1.0));
    CHECK(solution.z[0] >= 2.0 - 1e-9);
  }
}

// x free: w₁ = x + 1 = 0 holds x at −1, where w₂ = x − z₂ < 0 whatever z₂.
TEST_CASE("a mixed problem without solution is refused with a proof") {
  const MlcpProblem problem{(MatrixXd(2, 2) << 1, 0, 1, -1).finished(), Vector2d(1, 0), {1, 0}};
  const LcpSolution solution = solve(find_row(box_solvers(), "auto"), as_box(problem));
  REQUIRE(solution.status == SolveStatus::no_solution);
  CHECK(std::isinf(ruled_out(as_box(problem), solution.certificate)));
}

}  // namespace
}  // namespace pequod
