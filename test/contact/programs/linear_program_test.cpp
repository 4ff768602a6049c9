// Clp behind our types: small programs whose answers are known.
#include "contact/programs/linear_program.h"

#include <doctest/doctest.h>

namespace pequod {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// x + y + z = 1 in the positive orthant.
LinearProgram simplex_of_three() {
  return LinearProgram::standard(MatrixXd::Ones(1, 3), VectorXd::Ones(1));
}

}  // namespace

TEST_CASE("the cheapest corner of a triangle, again after its cost and bounds have changed") {
  LinearProgram program = simplex_of_three();
  program.cost = Vector3d(2.0, 1.0, 3.0);
  Simplex simplex(program);
  LpSolution solution = simplex.solve();
  CHECK(solution.status == LpStatus::optimal);
  CHECK(solution.objective == 1.0);
  CHECK(solution.x == Vector3d(0.0, 1.0, 0.0));
  CHECK(solution.basic == std::vector<int>{1});
  simplex.set_cost(Vector3d(2.0, 1.0, 0.5));
  CHECK(simplex.solve().x == Vector3d(0.0, 0.0, 1.0));
  simplex.set_bounds(2, 0.0, 0.25);
  CHECK(simplex.solve().x == Vector3d(0.0, 0.75, 0.25));
}

TEST_CASE("programs without a solution say which kind they are") {
  LinearProgram empty = simplex_of_three();
  empty.row_lower[0] = empty.row_upper[0] = -1.0;
  CHECK(solve(empty).status == LpStatus::infeasible);
  LinearProgram endless = simplex_of_three();
  endless.row_upper[0] = INFINITY;
  endless.cost = Vector3d(-1.0, 0.0, 0.0);
  CHECK(solve(endless).status == LpStatus::unbounded);
}

TEST_CASE("sizes that do not fit are refused") {
  LinearProgram program = simplex_of_three();
  program.cost = VectorXd::Zero(2);
  CHECK_THROWS_WITH_AS(solve(program),
                       "linear program: A is 1×3, which its bounds or costs do not fit",
                       std::invalid_argument);
}

}  // namespace pequod
