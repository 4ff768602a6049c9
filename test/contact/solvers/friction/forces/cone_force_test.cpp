// Whether a force in the cones does what is asked, and which is the least one.
#include "contact/solvers/friction/forces/cone_force.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace pequod {
namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;
using Kind = ForceCone::Kind;

struct Draw {
  std::mt19937_64 generator{5};
  double operator()(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator);
  }
};

/// A force inside every cone.
VectorXd inner_force(const std::vector<ForceCone>& cones, Draw& draw) {
  std::vector<double> f;
  for (const ForceCone& cone : cones) {
    const double n = draw(0.1, 2.0), angle = draw(0.0, 6.28), share = draw(0.0, 1.0);
    if (cone.kind == Kind::interval) {
      f.push_back(cone.bound * draw(-1.0, 1.0));
      continue;
    }
    f.push_back(n);
    if (cone.size() == 1) continue;
    const double reach = cone.kind == Kind::grip ? 3.0 : cone.bound * n * share;
    f.push_back(reach * std::cos(angle));
    f.push_back(reach * std::sin(angle));
  }
  return Eigen::Map<VectorXd>(f.data(), static_cast<Index>(f.size()));
}

/// How far outside the cones, N.
double outside(const std::vector<ForceCone>& cones, const VectorXd& f) {
  double worst = 0.0;
  Index at = 0;
  for (const ForceCone& cone : cones) {
    const double* x = f.data() + at;
    at += cone.size();
    if (cone.kind == Kind::interval)
      worst = std::max(worst, std::abs(x[0]) - cone.bound);
    else
      worst = std::max(worst, -x[0]);
    if (cone.kind == Kind::cone)
      worst = std::max(worst, std::hypot(x[1], x[2]) - cone.bound * x[0]);
    if (cone.kind == Kind::pyramid)
      worst = std::max(worst, std::max(std::abs(x[1]), std::abs(x[2])) - cone.bound * x[0]);
  }
  return worst;
}

ConeForceProblem random_problem(Draw& draw, VectorXd& inner) {
  constexpr Kind kinds[] = {Kind::push, Kind::cone, Kind::pyramid, Kind::grip, Kind::interval};
  ConeForceProblem problem;
  Index columns = 0;
  const int n = 2 + static_cast<int>(draw(0.0, 8.0));
  for (int i = 0; i < n; ++i) {
    problem.cones.push_back({kinds[static_cast<int>(draw(0.0, 4.999))], draw(0.2, 1.5)});
    columns += problem.cones.back().size();
  }
  const Index rows = std::min<Index>(6, columns);
  problem.W = MatrixXd::NullaryExpr(rows, columns, [&] { return draw(-1.0, 1.0); });
  if (rows > 2) problem.W.row(1) = problem.W.row(0) - 2.0 * problem.W.row(2);  // a repeated row
  inner = inner_force(problem.cones, draw);
  problem.a = problem.W * inner;
  return problem;
}

}  // namespace

// 1e-8 is what callers ask; forces at the corners of cones leave more than those inside.
TEST_CASE("a force in the cones is found where there is one, no longer than any other") {
  Draw draw;
  ConeForceWorkspace workspace;
  double worst_residual = 0.0, worst_outside = 0.0, worst_excess = 0.0;
  for (int trial = 0; trial < 2000; ++trial) {
    VectorXd inner;
    const ConeForceProblem problem = random_problem(draw, inner);
    ConeForceSolution solution;
    solve_cone_force(problem, workspace, solution);
    const double size = inner.norm();
    worst_residual = std::max(worst_residual, solution.residual);
    worst_outside = std::max(worst_outside, outside(problem.cones, solution.f) / size);
    worst_excess = std::max(worst_excess, solution.f.norm() / size - 1.0);
    CHECK((problem.W * solution.f - problem.a).norm() < 1e-7 * (1.0 + problem.a.norm()));
  }
  MESSAGE("residual " << worst_residual << ", outside " << worst_outside << ", longer by "
                      << worst_excess);
  CHECK(worst_residual < 1e-8);
  CHECK(worst_outside < 1e-11);
  CHECK(worst_excess < 1e-8);
}

// A box on a slope: four corners press with μ = 0.5, the load is turned by an angle. Below the
// friction angle a force exists, above it the residual is the load's distance from the cone.
TEST_CASE("the residual of what no force can do is its distance from the cones") {
  ConeForceWorkspace workspace;
  for (const double tangent : {0.3, 0.499, 0.51, 0.8}) {
    ConeForceProblem problem;
    problem.W.setZero(3, 12);
    for (int i = 0; i < 4; ++i) {
      problem.W.block<3, 3>(0, 3 * i).setIdentity();
      problem.cones.push_back({Kind::cone, 0.5});
    }
    problem.a = Eigen::Vector3d(1.0, tangent, 0.0);
    ConeForceSolution solution;
    solve_cone_force(problem, workspace, solution);
    const double off = std::max(0.0, (tangent - 0.5) / std::sqrt(1.25));
    CHECK(solution.residual == doctest::Approx(off / problem.a.norm()).epsilon(1e-9));
    CHECK(solution.plain == (tangent < 0.5));
  }
}

TEST_CASE("nothing is asked, nothing is given; a pull is refused whole") {
  ConeForceWorkspace workspace;
  ConeForceProblem problem;
  problem.W = MatrixXd::Identity(1, 1);
  problem.cones = {{Kind::push, 0.0}};
  ConeForceSolution solution;
  problem.a = VectorXd::Zero(1);
  solve_cone_force(problem, workspace, solution);
  CHECK(solution.residual == 0.0);
  problem.a = VectorXd::Constant(1, -2.0);
  solve_cone_force(problem, workspace, solution);
  CHECK(solution.residual == 1.0);
  CHECK(solution.f[0] == 0.0);
  solve_plain_force(problem, workspace, solution);
  CHECK(solution.f[0] == -2.0);
}

}  // namespace pequod
