// Fits of the traditional form to its own samples (Pfrommer 2019, sec. 3.1.4).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "app/experiments/lcp_notes.h"
#include "contact/fit/friction_fit.h"
#include "contact/fit/lcp_fit.h"
#include "contact/fit/transition_fit.h"
#include "contact/formulations/blocks.h"

namespace pequod::app {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kBound = 1.0;  // F

VectorXd true_row(int row) {
  const LcpProblem form = traditional_block({1.0, 0.0, kBound});
  VectorXd entries(6);
  const double input = row == 2 ? 0.0 : form.q[row];
  entries << form.M.row(row).transpose(), input, input, row == 2 ? kBound : 0.0;
  return entries;
}

double apart(const VectorXd& a, const VectorXd& b) {
  return (a.normalized() - b.normalized()).lpNorm<Eigen::Infinity>();
}

FitOptions bias_of_third(double margin) { return {margin, 0.0, {0, 0, 1}}; }

// With margin ε a row is off by some ε over the least λ⁺ + λ⁻ of a sample that sticks: no constant
// is there to lift its M λ + q. So samples from the middle of the segment, where an interior point
// method ends, meet 1e-2 at ε = 1e-3, and those spread over it need not.
void recovery(const Stage& stage, BlockForces forces, const std::string& which, double asked) {
  const int seeds = stage.quick ? 2 : 10;
  double coarse = 0.0, exact = 0.0, extrapolated = 0.0;
  int undetermined = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    const FitSamples samples = block_samples(300, forces, static_cast<std::uint64_t>(seed));
    const LcpFit with_margin = fit_lcp(samples, bias_of_third(1e-3));
    const LcpFit without = fit_lcp(samples, bias_of_third(0.0));
    for (int row = 0; row < 3; ++row) {
      const auto i = static_cast<std::size_t>(row);
      coarse = std::max(coarse, apart(entries(with_margin.rows[i]), true_row(row)));
      exact = std::max(exact, apart(entries(without.rows[i]), true_row(row)));
      undetermined += without.rows[i].undetermined;
      extrapolated = std::max(
          extrapolated, apart(extrapolated_row(samples, bias_of_third(1e-3), row), true_row(row)));
    }
  }
  const std::string of = fmt::format("{} × 300 samples, λ {}: rows", seeds, which);
  stage.at_most("6.6 LP fit", of + ", ε 1e-3", coarse, asked, "equal up to a scale");
  stage.at_most("6.6 LP fit", of + ", ε → 0 from 1e-3", extrapolated, 1e-6);
  stage.at_most("6.6 LP fit", of + ", ε 0", exact, 1e-6);
  stage.at_most("6.6 LP fit", of + ", entries not determined, ε 0", undetermined, 0.0);
}

// With constants in rows 1 and 2, and full friction in all samples, other rows cost nothing.
void degeneracy(const Stage& stage) {
  const FitSamples samples = block_samples(300, BlockForces::most, 1);
  const LcpFit fit = fit_lcp(samples, {0.0, 0.0, {1, 1, 1}});
  const FitRow& row = fit.rows[1];
  stage.at_least("6.6 with biases", "row 2: entries that are not determined at no cost",
                 row.undetermined, 1.0, "weird degenerate solutions");
  stage.at_most("6.6 with biases", "its cost", row.cost, 1e-6, "0");
  // The row that is printed, at the samples that slide right.
  VectorXd printed(6);
  printed << -2.21, -1.57, 0.319, -0.319, -0.319, 1.898;
  double slack = 0.0;
  for (Index i = 0; i < samples.lambda.rows(); ++i) {
    VectorXd features(6);
    features << samples.lambda.row(i).transpose(), samples.inputs.row(i).transpose(), 1.0;
    if (samples.lambda(i, 1) == kBound && samples.lambda(i, 2) > 0.0)
      slack = std::max(slack, std::abs(printed.dot(features)));
  }
  // Its entries have three digits: 1.898 − 1.57 − 0.319 = 0.009.
  stage.at_most("6.6 with biases", "the printed row 2 sliding right: ẋ' = ẋ + u − 1", slack, 0.01,
                "0");
}

void shrinking(const Stage& stage) {
  const FitSamples samples = block_samples(300, BlockForces::spread, 1);
  double worst = 0.0;
  for (const double weight : {1e-6, 1e-3}) {
    FitOptions options = bias_of_third(0.0);
    options.l1 = weight;
    const LcpFit fit = fit_lcp(samples, options);
    for (int row = 0; row < 3; ++row)
      worst = std::max(worst, apart(entries(nth(fit.rows, row)), true_row(row)));
  }
  stage.at_most("6.6 with L1", "rows over their norm, weights 1e-6 and 1e-3", worst, 1e-2,
                "no better");
}

// Forces with noise of 1 %: half of the samples slide, the others stick anywhere below.
void friction(const Stage& stage) {
  const double mu = 0.4, noise = 0.01;
  const int seeds = 100;
  int covered = 0;
  double worst = 0.0;
  for (int seed = 1; seed <= seeds; ++seed) {
    std::mt19937_64 generator(static_cast<std::uint64_t>(seed));
    std::normal_distribution<double> error(0.0, noise);
    std::uniform_real_distribution<double> load(0.5, 2.0), share(0.0, 1.0);
    VectorXd normal(400), tangential(400);
    for (Index i = 0; i < 400; ++i) {
      const double f = load(generator);
      const double used = i % 2 == 0 ? 1.0 : share(generator);
      normal[i] = f * (1.0 + error(generator));
      tangential[i] = used * mu * f * (1.0 + error(generator));
    }
    const FrictionFit fit = fit_friction(normal, tangential, noise);
    worst = std::max(worst, std::abs(fit.mu / mu - 1.0));
    if (fit.low <= mu && mu <= fit.high) ++covered;
  }
  stage.at_most("friction", "μ from forces with noise of 1 %, relative, 100 seeds", worst, 0.02);
  stage.at_least("friction", "seeds of 100 whose interval holds μ", covered, 95.0);
}

// The rows of the two-way form by what they say of v + u, up to their order.
double two_way_error(const TransitionLaw& law) {
  Eigen::MatrixXd rows(2, 3);
  rows << -1.0, -1.0, kBound, 1.0, 1.0, kBound;
  const Eigen::MatrixXd swapped = rows.colwise().reverse();
  return std::min((law.H - rows).lpNorm<Eigen::Infinity>(),
                  (law.H - swapped).lpNorm<Eigen::Infinity>());
}

// Speeds and pushes only: v' = λ⁺ − λ⁻ with 0 ≤ λ ⊥ λ ∓ (v + u) + F ≥ 0, the direct form.
void without_forces(const Stage& stage) {
  const int seeds = stage.quick ? 2 : 10;
  for (const double noise : {0.0, 0.01}) {
    double worst = 0.0, still = 0.0;
    for (int seed = 1; seed <= seeds; ++seed) {
      const FitSamples drawn =
          block_samples(300, BlockForces::middle, static_cast<std::uint64_t>(seed));
      TransitionSamples samples{drawn.inputs, Eigen::MatrixXd(300, 1)};
      std::mt19937_64 generator(static_cast<std::uint64_t>(seed));
      std::normal_distribution<double> error(0.0, 1.0);
      for (Index i = 0; i < 300; ++i)
        samples.next(i, 0) = coulomb_speed({drawn.inputs(i, 0), drawn.inputs(i, 1), kBound}, 1.0) +
                             noise * error(generator);
      TransitionOptions options;
      options.forces = 2;
      const TransitionFit fit = fit_transitions(samples, options);
      worst = std::max(worst, two_way_error(fit.law));
      // A block that rests stays where it is.
      const Eigen::MatrixXd rest = Eigen::MatrixXd::Zero(1, 2);
      still = std::max(still, std::abs(predicted(fit.law, rest)(0, 0)));
    }
    const std::string of = fmt::format("{} × 300 samples of v, u, v', noise {:g}: ", seeds, noise);
    stage.at_most("6.6 without λ", of + "rows", worst, noise > 0.0 ? 0.02 : 1e-9);
    stage.at_most("6.6 without λ", of + "speed at rest", still, noise > 0.0 ? 0.01 : 1e-9,
                  "cannot encode sticking");
  }
}

}  // namespace

FitSamples block_samples(int count, BlockForces forces, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> any(-3.0, 3.0), share(0.0, 1.0);
  FitSamples samples{Eigen::MatrixXd(count, 3), Eigen::MatrixXd(count, 2)};
  for (int i = 0; i < count; ++i) {
    const SlidingBlock block{any(generator), any(generator), kBound};
    const double after = coulomb_speed(block, 1.0), force = after - block.speed - block.push;
    const double used = forces == BlockForces::middle ? 0.5
                        : forces == BlockForces::most ? 1.0
                                                      : share(generator);
    const double both = 0.5 * used * std::max(kBound - std::abs(force), 0.0);
    samples.lambda.row(i) << std::max(force, 0.0) + both, std::max(-force, 0.0) + both,
        std::abs(after);
    samples.inputs.row(i) << block.speed, block.push;
  }
  return samples;
}

void fit_notes(const Stage& stage) {
  recovery(stage, BlockForces::middle, "middle", 1e-2);
  recovery(stage, BlockForces::spread, "spread", 0.1);
  degeneracy(stage);
  shrinking(stage);
  without_forces(stage);
  friction(stage);
}

}  // namespace pequod::app
