#include "contact/solvers/least_distance/least_distance.h"

#include <doctest/doctest.h>

#include <limits>
#include <random>

#include "contact/solvers/linear/decompositions.h"
#include "contact/solvers/registry/least_distance_solvers.h"

namespace pequod {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

/// A ball of mass 2 kg as one coordinate: y = √2 v, floor below.
LeastDistanceProblem falling_ball(double v) {
  LeastDistanceProblem problem;
  const double root = std::sqrt(2.0);
  problem.y0 = VectorXd::Constant(1, root * v);
  problem.E.resize(1, 0);
  problem.G = MatrixXd::Constant(1, 1, 1.0 / root);
  problem.c = VectorXd::Zero(1);
  return problem;
}

LeastDistanceSolution solve(const LeastDistanceSolver& solver, const LeastDistanceProblem& problem,
                            const LeastDistanceOptions& options = {}) {
  LeastDistanceWorkspace workspace;
  LeastDistanceSolution solution;
  solver.solve(problem, options, {}, workspace, solution);
  return solution;
}

TEST_CASE("a falling ball stops and the impulse is its momentum") {
  for (const LeastDistanceSolver& solver : least_distance_solvers()) {
    INFO(solver.name);
    const LeastDistanceSolution solution = solve(solver, falling_ball(-3.0));
    REQUIRE(solution.status == SolveStatus::solved);
    CHECK(solution.y[0] == doctest::Approx(0.0));
    CHECK(solution.f[0] == doctest::Approx(6.0));  // kg m/s
    CHECK(solution.active == std::vector<int>{0});
  }
}

TEST_CASE("a rising ball is left alone") {
  for (const LeastDistanceSolver& solver : least_distance_solvers()) {
    INFO(solver.name);
    const LeastDistanceSolution solution = solve(solver, falling_ball(3.0));
    REQUIRE(solution.status == SolveStatus::solved);
    CHECK(solution.y == falling_ball(3.0).y0);
    CHECK(solution.f[0] == 0.0);
    CHECK(solution.active.empty());
    CHECK(solution.pivots == 0);
  }
}

TEST_CASE("without contact, coordinates or motion nothing happens") {
  for (const LeastDistanceSolver& solver : least_distance_solvers()) {
    INFO(solver.name);
    LeastDistanceProblem free_flight = falling_ball(-3.0);
    free_flight.n = 0;
    CHECK(solve(solver, free_flight).y == free_flight.y0);
    CHECK(solve(solver, falling_ball(0.0)).y[0] == 0.0);
    CHECK(solve(solver, {}).status == SolveStatus::solved);
  }
}

TEST_CASE("between closing walls there is no acceleration, and the ray proves it") {
  LeastDistanceProblem problem = falling_ball(0.0);
  problem.G = Eigen::RowVector2d(1.0, -2.0);
  problem.c = Eigen::Vector2d(1.0, -1.0);  // y ≥ 1 and −2y ≥ −1
  for (const LeastDistanceSolver& solver : least_distance_solvers()) {
    INFO(solver.name);
    const LeastDistanceSolution solution = solve(solver, problem);
    CHECK(solution.status == SolveStatus::no_solution);
    CHECK_FALSE(solution.reason.empty());
    CHECK(std::isnan(solution.y[0]));
    CHECK(solution.f.minCoeff() >= 0.0);
    CHECK((problem.G * solution.f).norm() < 1e-15);
    CHECK(problem.c.dot(solution.f) > 0.0);
  }
}

TEST_CASE("equalities that contradict each other have no solution") {
  LeastDistanceProblem problem;
  problem.y0 = Eigen::Vector2d(1.0, 2.0);
  problem.E.resize(2, 3);
  problem.E << 1, 0, 2,  //
      1, 1, 2;
  problem.e = Eigen::Vector3d(1.0, 0.0, 3.0);
  problem.G.resize(2, 0);
  for (const LeastDistanceSolver& solver : least_distance_solvers()) {
    INFO(solver.name);
    const LeastDistanceSolution solution = solve(solver, problem);
    CHECK(solution.status == SolveStatus::no_solution);
    CHECK(solution.reason == "the equalities contradict each other");
    CHECK((problem.E * solution.fe).norm() < 1e-14);
    CHECK(problem.e.dot(solution.fe) > 0.5);
  }
}

TEST_CASE("dependent equalities that agree are skipped in order") {
  LeastDistanceProblem problem;
  problem.y0 = Eigen::Vector3d(1.0, 2.0, -3.0);
  problem.E.resize(3, 3);
  problem.E << 1, 2, 0,  //
      0, 0, 5,           //
      0, 0, 0;
  problem.e = Eigen::Vector3d(4.0, 8.0, 0.0);
  problem.G = Eigen::Vector3d::UnitZ();
  problem.c = VectorXd::Zero(1);
  for (const LeastDistanceSolver& solver : least_distance_solvers()) {
    INFO(solver.name);
    const LeastDistanceSolution solution = solve(solver, problem);
    REQUIRE(solution.status == SolveStatus::solved);
    CHECK((solution.y - Eigen::Vector3d(4.0, 0.0, 0.0)).norm() < 1e-14);
    CHECK(solution.residuals.stationarity < 1e-15);
    CHECK(solution.accepted.size() == 2);
    CHECK(solution.accepted == std::vector<int>{0, 2});
    CHECK(solution.fe[0] == doctest::Approx(3.0));
    CHECK(solution.fe[1] == 0.0);
  }
}

TEST_CASE("a contact that the equalities hold carries nothing") {
  LeastDistanceProblem problem = falling_ball(-3.0);
  problem.E = MatrixXd::Constant(1, 1, 2.0);
  problem.e = VectorXd::Zero(1);
  for (const LeastDistanceSolver& solver : least_distance_solvers()) {
    INFO(solver.name);
    const LeastDistanceSolution held = solve(solver, problem);
    REQUIRE(held.status == SolveStatus::solved);
    CHECK(held.y[0] == doctest::Approx(0.0));
    CHECK(held.f[0] == 0.0);
    problem.c[0] = 1.0;  // and may not ask for what they forbid
    CHECK(solve(solver, problem).status == SolveStatus::no_solution);
    problem.c[0] = 0.0;
  }
}

// In oblique axes the projection of such a contact is rounding, not zero: 29 of 521 islands without
// slip had one, and lemke took it for a constraint.
TEST_CASE("contacts that oblique equalities hold carry nothing, the others as without them") {
  std::mt19937 random(6);
  std::normal_distribution<double> normal;
  const auto draw = [&](int rows, int columns) {
    return MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); }).eval();
  };
  double worst = 0;
  for (int i = 0; i < 300; ++i) {
    LeastDistanceProblem problem;
    problem.y0 = draw(12, 1);
    problem.E = draw(12, 6);
    problem.e = VectorXd::Zero(6);
    const MatrixXd held = problem.E * draw(6, 3), open = draw(12, 3);
    problem.G.resize(12, 6);
    problem.G << held, open;
    problem.c = VectorXd::Zero(6);
    const VectorXd y = solve(least_distance_solvers().front(), problem).y;
    for (const LeastDistanceSolver& solver : least_distance_solvers()) {
      INFO(solver.name);
      const LeastDistanceSolution solution = solve(solver, problem);
      REQUIRE(solution.status == SolveStatus::solved);
      CHECK(solution.f.head(3).isZero(0.0));
      worst = std::max(worst, (solution.y - y).norm() / y.norm());
    }
  }
  INFO("worst ", worst);
  CHECK(worst < 1e-12);
}

// The two normals of a crease, of which tangents that differ by 1e-4 leave 1e-4, opposed: their
// directions carry rounding of 1e-12, which is no third constraint.
TEST_CASE("opposed contacts of which the equalities leave little meet at zero") {
  std::mt19937 random(9);
  std::normal_distribution<double> normal;
  const auto draw = [&] { return VectorXd::NullaryExpr(9, [&] { return normal(random); }).eval(); };
  for (int i = 0; i < 200; ++i) {
    LeastDistanceProblem problem;
    problem.y0 = draw();
    problem.E.resize(9, 3);
    problem.E << draw(), draw(), draw();
    problem.E.col(1) = problem.E.col(0) + 1e-4 * problem.E.col(1);
    problem.e = VectorXd::Zero(3);
    const VectorXd short_row = 1e-4 * draw();
    problem.G.resize(9, 3);
    problem.G << problem.E * Eigen::Vector3d(0.4, -0.7, 0.5) + short_row,
        problem.E * Eigen::Vector3d(0.3, 0.6, -0.2) - short_row, draw();
    problem.c = VectorXd::Zero(3);
    const VectorXd y = solve(least_distance_solvers().front(), problem).y;
    for (const LeastDistanceSolver& solver : least_distance_solvers()) {
      const LeastDistanceSolution solution = solve(solver, problem);
      INFO(solver.name, ": ", solution.reason);
      REQUIRE(solution.status == SolveStatus::solved);
      CHECK((solution.y - y).norm() < 1e-8 * problem.y0.norm());
    }
  }
}

// Two corners without slip on facets that all but agree: what is left of one normal is short, and
// opposes what is left of the other. Its direction carries rounding of 1e-16 over its length, which
// is no second constraint.
TEST_CASE("a contact of which the equalities leave little opposes one of which they leave much") {
  std::mt19937 random(10);
  std::normal_distribution<double> normal;
  const auto draw = [&] { return VectorXd::NullaryExpr(8, [&] { return normal(random); }).eval(); };
  for (const double length : {1e-4, 1e-5, 1e-6}) {
    for (int i = 0; i < 200; ++i) {
      LeastDistanceProblem problem;
      problem.y0 = draw();
      problem.E.resize(8, 4);
      problem.E << draw(), draw(), draw(), draw();
      problem.e = VectorXd::Zero(4);
      const VectorXd open = draw();
      problem.G.resize(8, 2);
      problem.G << problem.E * Eigen::Vector4d(0.4, -0.7, 0.5, 0.2) + open,
          problem.E * Eigen::Vector4d(0.3, 0.6, -0.2, 0.9) - length * open;
      problem.c = VectorXd::Zero(2);
      MatrixXd held(8, 5);  // opposed, the two hold what they leave
      held << problem.E, open;
      const VectorXd y = problem.y0 - held * LeastNormFactor(held).solve(problem.y0);
      // The active-set methods; Lemke's, there for comparison, may end on a ray here.
      for (const LeastDistanceSolver& solver : least_distance_solvers().first(2)) {
        const LeastDistanceSolution solution = solve(solver, problem);
        INFO(solver.name, ", ", length, ", ", i, ": ", solution.reason);
        REQUIRE(solution.status == SolveStatus::solved);
        CHECK((solution.y - y).norm() < 1e-6 * problem.y0.norm());
      }
    }
  }
}

// Three columns that differ by 1e-8 fix a point at 1e8, where 64 bits leave nothing of y₀: there is
// an answer, but nobody can say which.
TEST_CASE("an answer whose residuals are large is a failure that names the residual") {
  std::mt19937 random(8);
  std::normal_distribution<double> normal;
  LeastDistanceProblem problem;
  problem.y0.resize(6);
  for (double& x : problem.y0) x = normal(random);
  problem.E.resize(6, 3);
  for (double& x : problem.E.reshaped()) x = normal(random);
  problem.E.col(1) = problem.E.col(0) + 1e-8 * problem.E.col(1);
  problem.E.col(2) = problem.E.col(0) + 1e-8 * problem.E.col(2);
  problem.e = Eigen::Vector3d(0.3, -0.7, 0.9);
  problem.G.resize(6, 0);
  for (const LeastDistanceSolver& solver : least_distance_solvers()) {
    const LeastDistanceSolution solution = solve(solver, problem);
    INFO(solver.name, ": ", solution.reason);
    CHECK(solution.status == SolveStatus::failed);
    CHECK(solution.reason.find("stationarity") != std::string::npos);
    CHECK(solution.reason.find("is above 1.0e-08") != std::string::npos);
    CHECK(solution.residuals.stationarity > 1e-8);
    CHECK(solution.y.array().isNaN().all());
  }
}

TEST_CASE("only the first k and n columns count") {
  LeastDistanceProblem problem;
  problem.y0 = Eigen::Vector2d(-1.0, -1.0);
  problem.E = MatrixXd::Identity(2, 2);
  problem.e = Eigen::Vector2d(0.5, 7.0);
  problem.G = MatrixXd::Identity(2, 2).rowwise().reverse();
  problem.c = Eigen::Vector2d(0.0, 100.0);
  problem.k = problem.n = 1;
  for (const LeastDistanceSolver& solver : least_distance_solvers()) {
    INFO(solver.name);
    const LeastDistanceSolution solution = solve(solver, problem);
    REQUIRE(solution.status == SolveStatus::solved);
    CHECK((solution.y - Eigen::Vector2d(0.5, 0.0)).norm() < 1e-15);
    CHECK(solution.f[1] == 0.0);
    CHECK(solution.fe[1] == 0.0);
  }
}

TEST_CASE("data that are not finite fail with a reason") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const LeastDistanceSolver& solver : least_distance_solvers()) {
    for (double bad : {nan, std::numeric_limits<double>::infinity()}) {
      for (int where = 0; where < 5; ++where) {
        LeastDistanceProblem problem = falling_ball(-3.0);
        problem.E = MatrixXd::Zero(1, 1);
        problem.e = VectorXd::Zero(1);
        double* const entries[] = {problem.y0.data(), problem.G.data(), problem.c.data(),
                                   problem.E.data(), problem.e.data()};
        *entries[where] = bad;
        INFO(solver.name, " ", where, " ", bad);
        const LeastDistanceSolution solution = solve(solver, problem);
        CHECK(solution.status == SolveStatus::failed);
        CHECK(solution.reason == "the data are not finite, or too large to square");
      }
    }
  }
}

TEST_CASE("sizes that do not fit are named") {
  LeastDistanceProblem problem = falling_ball(-3.0);
  problem.c.resize(3);
  for (const LeastDistanceSolver& solver : least_distance_solvers())
    CHECK_THROWS_WITH_AS(solve(solver, problem),
                         "least-distance problem: G is 1×1 but c has 3 entries",
                         std::invalid_argument);
  problem = falling_ball(-3.0);
  problem.n = 2;
  CHECK_THROWS_WITH_AS(check_sizes(problem),
                       "least-distance problem: n = 2 columns of G, which is 1×1",
                       std::invalid_argument);
  problem = falling_ball(-3.0);
  problem.y0.resize(2);
  CHECK_THROWS_WITH_AS(check_sizes(problem),
                       "least-distance problem: G is 1×1 but y0 has 2 entries",
                       std::invalid_argument);
}

TEST_CASE("residuals are measured from the problem, not believed") {
  LeastDistanceProblem problem = falling_ball(-3.0);
  LeastDistanceSolution wrong;
  wrong.y = problem.y0;
  wrong.f = VectorXd::Constant(1, -1.0);
  wrong.fe.resize(0);
  const LeastDistanceResiduals r = measure(problem, wrong);
  const double s = 3.0 * std::sqrt(2.0);
  CHECK(scale(problem) == doctest::Approx(s));
  CHECK(r.infeasibility == doctest::Approx(1.0));  // all of the motion goes into the floor
  CHECK(r.dual_infeasibility == doctest::Approx(1.0 / std::sqrt(2.0) / s));
  CHECK(r.stationarity == doctest::Approx(1.0 / std::sqrt(2.0) / s));
  CHECK(r.complementarity == doctest::Approx(1.0 / std::sqrt(2.0) / s));
}

}  // namespace
}  // namespace pequod
