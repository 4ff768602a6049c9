// The blocks and the point mass of Pfrommer's notes (2019), stepped in time by our solvers. The
// notes print formulas; where they print no value, the truth is the closed form beside it.
#include "app/experiments/lcp_notes.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "contact/formulations/blocks.h"
#include "contact/formulations/point_mass.h"
#include "contact/solvers/complementarity/lcp_auto.h"
#include "contact/solvers/reference/enumeration.h"
#include "contact/solvers/registry/lcp_solvers.h"

namespace pequod::app {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

constexpr double kRoundingOnly = 1e-12;  // the tables are exact: rounding only

LcpSolution solved(const LcpProblem& problem) {
  LcpWorkspace workspace;
  LcpSolution solution;
  solve_lcp_auto(problem, {}, {}, workspace, solution);
  return solution;
}

VectorXd solved(const MlcpProblem& problem) {
  LcpWorkspace workspace;
  LcpSolution solution;
  box_solvers().front().solve(as_box(problem), {}, {}, workspace, solution);
  if (solution.status != SolveStatus::solved) return VectorXd::Constant(problem.q.size(), NAN);
  return solution.z;
}

// A NaN is the worst there is.
double worse(double a, double b) { return std::isnan(b) || b > a ? b : a; }

struct TraditionalRow {
  double v, u, speed, gamma;
  Vector2d least, most;  // ends of the segment of (λ⁺, λ⁻); F = 1
};
constexpr double kLargestFriction = 1.0;
const std::array<TraditionalRow, 9> kTraditional{{{0, 0, 0, 0, {0, 0}, {0.5, 0.5}},
                                                  {0, 0.5, 0, 0, {0, 0.5}, {0.25, 0.75}},
                                                  {0, 1, 0, 0, {0, 1}, {0, 1}},
                                                  {0, 1.5, 0.5, 0.5, {0, 1}, {0, 1}},
                                                  {2, 0, 1, 1, {0, 1}, {0, 1}},
                                                  {2, -0.5, 0.5, 0.5, {0, 1}, {0, 1}},
                                                  {0.5, 0, 0, 0, {0, 0.5}, {0.25, 0.75}},
                                                  {-2, 0.5, -0.5, 0.5, {1, 0}, {1, 0}},
                                                  {0.5, -3, -1.5, 1.5, {1, 0}, {1, 0}}}};

// How far (λ⁺, λ⁻) is from the segment between two points.
double from_segment(const Vector2d& x, const Vector2d& a, const Vector2d& b) {
  const Vector2d d = b - a;
  const double t =
      d.squaredNorm() > 0.0 ? std::clamp((x - a).dot(d) / d.squaredNorm(), 0.0, 1.0) : 0.0;
  return (x - a - t * d).lpNorm<Eigen::Infinity>();
}

// Error of one solution of a row, in speed, bound and forces.
double row_error(const TraditionalRow& row, double speed, const VectorXd& z) {
  return std::max({std::abs(speed - row.speed), std::abs(z[2] - row.gamma),
                   from_segment(z.head<2>(), row.least, row.most)});
}

void traditional_row(const Stage& stage, const TraditionalRow& row) {
  const SlidingBlock block{row.v, row.u, kLargestFriction};
  double error = 0.0;
  // Every solver that claims a solution, and all corners of the solutions.
  for (const LcpSolver& solver : lcp_solvers()) {
    LcpWorkspace workspace;
    LcpSolution solution;
    solver.solve(traditional_block(block), {}, {}, workspace, solution);
    if (solution.status == SolveStatus::solved)
      error = worse(error, row_error(row, traditional_speed(block, solution.z), solution.z));
    else if (solver.name == "auto" || solver.name == "lemke" || solver.name == "enumeration")
      error = NAN;
  }
  for (const VectorXd& z : all_lcp_solutions(traditional_block(block)))
    error = worse(error, row_error(row, traditional_speed(block, z), z));
  const VectorXd z = solved(traditional_block(block)).z;
  stage.at_most("6.4 traditional",
                fmt::format("v {:g}, u {:g}: v' {:g}, γ {:g}, λ ({:g}, {:g})", row.v, row.u,
                            traditional_speed(block, z), z[2], z[0], z[1]),
                error, kRoundingOnly, fmt::format("v' {:g}, γ {:g}", row.speed, row.gamma));
  const VectorXd mixed = solved(mixed_block(block));
  stage.at_most("6.4 mixed", fmt::format("v {:g}, u {:g}: v' {:g}", row.v, row.u, mixed[0]),
                row_error(row, mixed[0], mixed.tail<3>()), kRoundingOnly,
                fmt::format("v' {:g}", row.speed));
}

double minor_error() {
  const MatrixXd M = traditional_block({0.0, 0.0, kLargestFriction}).M;
  double error = 0.0;
  const std::array<std::pair<std::vector<int>, double>, 7> minors{{{{0}, 1.0},
                                                                   {{1}, 1.0},
                                                                   {{2}, 0.0},
                                                                   {{0, 1}, 0.0},
                                                                   {{0, 2}, 1.0},
                                                                   {{1, 2}, 1.0},
                                                                   {{0, 1, 2}, 4.0}}};
  for (const auto& [rows, value] : minors)
    error = std::max(error, std::abs(MatrixXd(M(rows, rows)).determinant() - value));
  return error;
}

struct MassRow {
  PointMass body;
  double normal;
  Vector2d friction;
  double gamma;
  Vector2d velocity;
  bool sticks;  // then only λ⁺ − λ⁻ is unique
};
const std::array<MassRow, 6> kMasses{
    {{{1, 0.5, 1, {0, 0}, {0, 0}}, 1, {0, 0}, 0, {0, 0}, true},
     {{1, 0.5, 1, {2, 0}, {0, 0}}, 1, {0, 0.5}, 1.5, {1.5, 0}, false},
     {{1, 0.5, 1, {0.25, 0}, {0, 0}}, 1, {0, 0.25}, 0, {0, 0}, true},
     {{1, 0.5, 1, {-2, -3}, {0, 0}}, 4, {2, 0}, 0, {0, 0}, false},
     {{1, 0.5, 1, {0, 3}, {1, 0}}, 0, {0, 0}, 1, {1, 2}, false},
     {{2, 0.5, 1, {1, -1}, {0, 0}}, 4, {0, 2}, 0, {0, 0}, false}}};

double mass_error(const MassRow& row, const PointMassStep& step) {
  const Vector2d spare = step.friction - row.friction;
  double error = std::max({std::abs(step.normal - row.normal), std::abs(step.gamma - row.gamma),
                           (step.velocity - row.velocity).lpNorm<Eigen::Infinity>()});
  if (!row.sticks) return worse(error, spare.lpNorm<Eigen::Infinity>());
  // Along (1, 1), up to the bound μ λc.
  const double sum = step.friction.sum();
  return worse(worse(error, std::abs(spare[0] - spare[1])),
               std::max({-step.friction.minCoeff(), sum - row.body.friction * row.normal, 0.0}));
}

}  // namespace

void falling_block_notes(const Stage& stage) {
  const double g = 9.81, h = 0.01;
  double x = 1.0, v = 0.0, error = 0.0, deepest = 0.0, rebound = 0.0;
  double force_error = 0.0;
  int first = 0, contacts = 0;
  for (int step = 1; step <= 100; ++step) {
    const LcpSolution solution = solved(falling_block(x, v, g, h));
    const double expected = std::max(0.0, x + h * v - g * h * h);
    error = worse(error, std::abs(solution.z[0] - expected));
    v = (solution.z[0] - x) / h;
    x = solution.z[0];
    deepest = std::max(deepest, -x);
    if (x == 0.0 && first == 0) first = step;
    if (first == 0) continue;
    rebound = std::max(rebound, v);
    if (++contacts >= 3) force_error = worse(force_error, std::abs(solution.w[0] / g - 1.0));
  }
  stage.at_most("6.1 falling block", "x' against max(0, x + Δt ẋ − g Δt²), m", error,
                kRoundingOnly);
  stage.at_most("6.1 falling block", fmt::format("first contact in step {}", first),
                std::abs(first - 45), 0.0, "45");
  stage.at_most("6.1 falling block", "force from the third contact step on, λ/g − 1", force_error,
                kRoundingOnly);
  stage.at_most("6.1 falling block", "depth, m, and rebound, m/s", std::max(deepest, rebound), 0.0);
}

void sliding_block_notes(const Stage& stage) {
  const double h = 0.01, bound = 1.0;
  std::mt19937_64 generator(2019);
  std::uniform_real_distribution<double> push(-3.0, 3.0);
  const int steps = stage.quick ? 3000 : 30000;
  Vector2d speed = Vector2d::Zero();
  double difference = 0.0, forward = 0.0, v = 0.0;
  int violations = 0, refused = 0;
  for (int step = 0; step < steps; ++step) {
    const double u = push(generator);
    const SlidingBlock block{speed[0] - speed[1], u, bound};
    if (solved(direct_block_that_fails(block, h)).status == SolveStatus::no_solution) ++refused;
    speed = solved(two_way_block(speed, u, bound, h)).z;
    if (speed[0] * speed[1] != 0.0 || speed.minCoeff() < 0.0) ++violations;
    difference = worse(difference, std::abs(speed[0] - speed[1] - coulomb_speed(block, h)));
    const double expected = std::max(0.0, v + h * (std::abs(u) - bound));
    v = solved(forward_block({v, std::abs(u), bound}, h)).z[0];
    forward = worse(forward, std::abs(v - expected));
  }
  stage.at_most("6.2 forward block", "ẋ' against max(0, ẋ + Δt (u − μ g)), m/s", forward,
                kRoundingOnly);
  stage.at_most("6.2 two-way block", fmt::format("ẋ⁺ẋ⁻ = 0 violated, of {} steps", steps),
                violations, 0.0, "0 of 30 000");
  // A step of 0.01 against Coulomb's law: one rounding of a speed of some 1 m/s a step.
  stage.at_most("6.2 two-way block", "ẋ' against implicit Coulomb friction, m/s", difference,
                kRoundingOnly);
  const LcpSolution constant = solved(two_way_block({1.0, 0.0}, 0.0, 0.0, 1.0));
  stage.at_most("6.2 two-way block", "no force: ẋ stays 1, the spare λ'⁺ is 1",
                std::max(std::abs(constant.z[0] - 1.0), std::abs(constant.w[1] - 1.0)),
                kRoundingOnly, "λ⁺ = −1");
  stage.at_most("6.3 direct form 2", fmt::format("not proved infeasible, of {} steps", steps),
                steps - refused, 0.0, "does not work");
}

void traditional_notes(const Stage& stage) {
  stage.at_most("6.4 traditional", "principal minors 1, 1, 0, 0, 1, 1, 4", minor_error(),
                kRoundingOnly, "a P-matrix: it is not");
  for (const TraditionalRow& row : kTraditional) traditional_row(stage, row);
}

void point_mass_notes(const Stage& stage) {
  for (const MassRow& row : kMasses) {
    const PointMass& body = row.body;
    const PointMassStep steps[] = {
        anitescu_step(solved(anitescu_point_mass(body))),
        belbute_peres_step(solved(as_mixed(belbute_peres_point_mass(body)))),
        eliminated_step(body, solved(eliminated_point_mass(body)).z)};
    double error = 0.0;
    for (const PointMassStep& step : steps) error = worse(error, mass_error(row, step));
    stage.at_most("6.5 point mass",
                  fmt::format("m {:g}, v ({:g}, {:g}), u {:g}: λc {:g}, γ {:g}, three forms",
                              body.mass, body.velocity[0], body.velocity[1], body.push[0],
                              steps[0].normal, steps[0].gamma),
                  error, kRoundingOnly,
                  fmt::format("v' ({:g}, {:g})", row.velocity[0], row.velocity[1]));
  }
  PointMass bouncing{1.0, 0.5, 1.0, {0.0, -3.0}};
  bouncing.restitution = 0.5;
  stage.at_most(
      "6.5 point mass", "restitution 1/2: leaves at half the speed, m/s",
      std::abs(eliminated_step(bouncing, solved(eliminated_point_mass(bouncing)).z).velocity.y() -
               1.5),
      kRoundingOnly);
}

extern const Experiment kLcpNotes{
    "lcp-notes",
    "blocks and a point mass as LCPs, and how sticking is lost (Pfrommer 2019)",
    {falling_block_notes, sliding_block_notes, traditional_notes, point_mass_notes, fit_notes,
     gradient_notes, sticking_notes}};

}  // namespace pequod::app
