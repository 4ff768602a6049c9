// How sticking reacts to errors in M and q of the traditional form (Pfrommer 2019, sec. 3.2).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "app/experiments/chart.h"
#include "app/experiments/lcp_notes.h"
#include "contact/formulations/blocks.h"
#include "contact/solvers/reference/enumeration.h"

namespace pequod::app {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kMostFriction = 1.0;  // F
constexpr double kToRounding = 1e-12;
constexpr double kStill = 1e-9;  // m/s: a speed below counts as none

LcpProblem resting_block(double push) { return traditional_block({0.0, push, kMostFriction}); }

// Distance of the single solution from the expected one; ∞ if there are more, or none.
double error_of_only(const LcpProblem& problem, const Vector3d& expected) {
  const std::vector<VectorXd> all = all_lcp_solutions(problem);
  return all.size() == 1 ? (all.front() - expected).lpNorm<Eigen::Infinity>() : INFINITY;
}

// The block's own law turns the forces of a perturbed problem into its speed.
bool some_solution_sticks(const LcpProblem& problem, double push) {
  const std::vector<VectorXd> all = all_lcp_solutions(problem);
  return std::ranges::any_of(
      all, [&](const VectorXd& z) { return std::abs(push + z[0] - z[1]) < kStill; });
}

void small_bias(const Stage& stage) {
  for (const double eps : {0.1, 0.01, 0.001}) {
    LcpProblem problem = resting_block(0.0);
    problem.q[0] -= eps;
    const Vector3d expected{kMostFriction / 2 + eps / 4, kMostFriction / 2 - eps / 4, eps / 2};
    stage.at_most("6.7 bias in q",
                  fmt::format("ε {:g}: only (λ⁺, λ⁻, γ) ({:g}, {:g}, {:g})", eps, expected[0],
                              expected[1], expected[2]),
                  error_of_only(problem, expected), kToRounding, "λ (1, 0): contradicts v'");
  }
}

LcpProblem uneven_weights(double a1, double a2, double push) {
  LcpProblem problem = resting_block(0.0);
  problem.q[0] = a1 * push;
  problem.q[1] = -a2 * push;
  return problem;
}

void uneven(const Stage& stage) {
  for (const auto& [a1, a2, u] : {std::array{1.0, 1.1, 0.2}, std::array{0.9, 1.2, 0.3}}) {
    const double gamma = (a2 - a1) * u / 2, force = -(a1 + a2) * u / 2;
    const Vector3d expected{(kMostFriction + force) / 2, (kMostFriction - force) / 2, gamma};
    stage.at_most("6.7 uneven weights",
                  fmt::format("α {:g}, {:g}, u {:g}: only γ {:g}, λ ({:g}, {:g})", a1, a2, u, gamma,
                              expected[0], expected[1]),
                  error_of_only(uneven_weights(a1, a2, u), expected), kToRounding,
                  "γ ≥ (α₂ − α₁) u/2");
  }
  int lost = 0;
  for (const auto& [a1, a2, u] :
       {std::array{1.1, 1.0, 0.2}, std::array{1.0, 1.0, 0.2}, std::array{1.0, 1.1, -0.2}}) {
    const std::vector<VectorXd> all = all_lcp_solutions(uneven_weights(a1, a2, u));
    if (std::ranges::none_of(all, [](const VectorXd& z) { return z[2] == 0.0; })) ++lost;
  }
  stage.at_most("6.7 uneven weights", "α₂ ≤ α₁ or u < 0: γ = 0 lost, of 3", lost, 0.0, "sticks");
}

// One entry of M or q at a time, both signs.
void single_entries(const Stage& stage) {
  constexpr double kPush = 0.3;
  int stuck = 0, tried = 0;
  std::string lost;
  for (int entry = 0; entry < 12; ++entry)
    for (const double change : {-0.01, 0.01}) {
      LcpProblem problem = resting_block(kPush);
      const int row = entry / 4, column = entry % 4;
      (column < 3 ? problem.M(row, column) : problem.q[row]) += change;
      ++tried;
      if (some_solution_sticks(problem, kPush))
        ++stuck;
      else
        lost += fmt::format(" {}{}{}{}", change > 0 ? "+" : "−", column < 3 ? "M" : "q", row + 1,
                            column < 3 ? std::to_string(column + 1) : "");
    }
  stage.at_least("6.7 one entry", fmt::format("sticks, share of {} changes of ±0.01", tried),
                 static_cast<double>(stuck) / tried, 0.5);
  stage.print(fmt::format("    does not:{}\n", lost));
}

// λ = 0 is a solution: with γ = 0 if q ≥ 0, or, where noise makes M₃₃ < 0, with a γ of some F/|M₃₃|
// that has nothing to do with a speed. The notes know the first only.
bool no_force_solves(const LcpProblem& problem) {
  if (problem.q.minCoeff() >= 0.0) return true;
  const double gamma = -problem.q[2] / problem.M(2, 2);
  return gamma > 0.0 &&
         (gamma * problem.M.col(2).head<2>() + problem.q.head<2>()).minCoeff() >= 0.0;
}

struct NoiseCount {
  int stuck = 0, no_force = 0, positive = 0;
};

// Normal noise on all entries.
NoiseCount noisy(double push, double sigma, int draws, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> noise(0.0, sigma);
  NoiseCount count;
  for (int draw = 0; draw < draws; ++draw) {
    LcpProblem problem = resting_block(push);
    for (double& entry : problem.M.reshaped()) entry += noise(generator);
    for (double& entry : problem.q) entry += noise(generator);
    if (some_solution_sticks(problem, push)) ++count.stuck;
    if (no_force_solves(problem)) ++count.no_force;
    if (problem.q.minCoeff() > 0.0) ++count.positive;
  }
  return count;
}

void noise_study(const Stage& stage) {
  const int draws = stage.quick ? 200 : 1000;
  Chart chart{"Sticking under noise on M and q, v = 0, F = 1",
              "σ of the noise",
              "share with |v'| &lt; 1e-9",
              true,
              {}};
  std::uint64_t seed = 1;
  for (const double push : {0.0, 0.1, 0.5}) {
    Curve curve{fmt::format("u = {:g}", push), {}};
    for (const double sigma : {0.001, 0.003, 0.01, 0.03, 0.1}) {
      const NoiseCount count = noisy(push, sigma, draws, seed++);
      const double share = static_cast<double>(count.stuck) / draws;
      curve.points.emplace_back(sigma, share);
      // It sticks exactly where λ = 0 is a solution and no push asks for more.
      const int expected = push == 0.0 ? count.no_force : 0;
      stage.at_most("6.7 noise",
                    fmt::format("u {:g}, σ {:g}: {} of {} stick, not by λ = 0", push, sigma,
                                count.stuck, draws),
                    std::abs(count.stuck - expected), 0.0,
                    push == 0.0 ? fmt::format("if q > 0: {}", count.positive) : "impossible");
    }
    chart.curves.push_back(curve);
  }
  stage.draw(chart_svg(chart));
}

}  // namespace

void sticking_notes(const Stage& stage) {
  small_bias(stage);
  uneven(stage);
  single_entries(stage);
  noise_study(stage);
}

}  // namespace pequod::app
