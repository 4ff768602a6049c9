// Fits recover what the samples were made from.
#include <doctest/doctest.h>

#include <random>

#include "contact/fit/friction_fit.h"
#include "contact/fit/lcp_fit.h"
#include "contact/fit/mass_fit.h"

namespace pequod {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// 0 ≤ λ ⊥ m λ + a d − b ≥ 0: a spring of stiffness 1/m that pushes when a d < b.
FitSamples spring(int count, double m, double a, double b) {
  std::mt19937_64 generator(5);
  std::uniform_real_distribution<double> any(-2.0, 2.0);
  FitSamples samples{MatrixXd(count, 1), MatrixXd(count, 1)};
  for (Index i = 0; i < count; ++i) {
    samples.inputs(i, 0) = any(generator);
    samples.lambda(i, 0) = std::max(0.0, (b - a * samples.inputs(i, 0)) / m);
  }
  return samples;
}

}  // namespace

// The simplex method is good to 1e-9, relative to slopes of size 1.
TEST_CASE("a row of an LCP comes back up to its scale, and is known to be the only one") {
  const FitRow row = fit_lcp(spring(100, 2.0, 3.0, 1.0), {0.0, 0.0, {1}}).rows.front();
  REQUIRE(row.solved);
  CHECK(std::abs(row.W[0] / row.M[0] - 1.5) < 1e-8);
  CHECK(std::abs(row.bias / row.M[0] + 0.5) < 1e-8);
  CHECK(std::abs(row.cost) < 1e-7);
  CHECK(row.undetermined == 0);
}

TEST_CASE("an input that never changes alone leaves its entry undetermined") {
  FitSamples samples = spring(100, 2.0, 3.0, 1.0);
  samples.inputs.conservativeResize(Eigen::NoChange, 2);
  samples.inputs.col(1) = samples.inputs.col(0);
  const FitRow row = fit_lcp(samples, {0.0, 0.0, {1}}).rows.front();
  REQUIRE(row.solved);
  CHECK(row.undetermined == 2);
}

TEST_CASE("samples that always press leave no row with a mean of one") {
  FitSamples samples{MatrixXd::Ones(10, 1), MatrixXd(10, 1)};
  samples.inputs = VectorXd::LinSpaced(10, -1.0, 1.0);
  // Any row costs as much as its mean, which is 1: fitted, but at a cost.
  const FitRow row = fit_lcp(samples).rows.front();
  CHECK((!row.solved || row.cost > 1.0));
}

TEST_CASE("samples of different counts are refused") {
  CHECK_THROWS_WITH_AS(fit_lcp({MatrixXd(3, 1), MatrixXd(2, 1)}),
                       "fit: 3 samples of λ, 2 of the inputs, 0 flags of biases",
                       std::invalid_argument);
}

TEST_CASE("exact forces of a contact that slides give its friction to rounding") {
  VectorXd normal(50), tangential(50);
  for (Index i = 0; i < 50; ++i) {
    normal[i] = 1.0 + 0.1 * static_cast<double>(i);
    tangential[i] = i < 20 ? 0.3 * normal[i] : 0.01 * static_cast<double>(i % 7);
  }
  const FrictionFit fit = fit_friction(normal, tangential, 0.0);
  CHECK(std::abs(fit.mu - 0.3) < 1e-15);
  CHECK(fit.sliding == 20);
  CHECK(fit.samples == 50);
}

// Sticking contacts may carry one ratio again and again; a single higher one shows it is not μ.
TEST_CASE("a crowd of ratios below the highest one is not taken for friction") {
  VectorXd normal = VectorXd::Ones(60), tangential(60);
  for (Index i = 0; i < 60; ++i)
    tangential[i] = i < 50 ? 0.2 : 0.2 + 0.02 * static_cast<double>(i - 49);
  const FrictionFit fit = fit_friction(normal, tangential, 0.01);
  CHECK(std::isnan(fit.mu));
  CHECK(fit.sliding == 0);
  CHECK(fit.highest == doctest::Approx(0.4));
}

TEST_CASE("ratios spread evenly up to the highest are not taken for friction") {
  VectorXd normal = VectorXd::Ones(400), tangential = VectorXd::LinSpaced(400, 0.0, 0.5);
  CHECK(std::isnan(fit_friction(normal, tangential, 0.01).mu));
}

TEST_CASE("exact impulses give a body's mass to rounding, and one of them no interval") {
  std::mt19937_64 generator(11);
  std::normal_distribution<double> any;
  MassSamples samples{MatrixXd(20, 3), MatrixXd(20, 3)};
  for (double& entry : samples.impulse.reshaped()) entry = any(generator);
  samples.change = samples.impulse / 2.5;
  const MassFit fit = fit_mass(samples);
  CHECK(std::abs(fit.mass / 2.5 - 1.0) < 1e-15);
  CHECK(fit.high - fit.low < 1e-13);
  CHECK(fit.intervals == 20);
  const MassFit one = fit_mass({samples.impulse.topRows(1), samples.change.topRows(1)});
  CHECK(std::abs(one.mass / 2.5 - 1.0) < 1e-15);
  CHECK(std::isinf(one.high));
  CHECK(std::isnan(fit_mass({MatrixXd::Zero(3, 3), MatrixXd::Ones(3, 3)}).mass));
}

// Errors of 1 % on impulses and on the velocities before and after: of 300 seeds three standard
// errors miss one; 5 are allowed.
TEST_CASE("the interval of a mass holds it in all but a few of 300 cases") {
  int missed = 0;
  double worst = 0.0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> any, error(0.0, 0.01);
    MassSamples samples{MatrixXd::Zero(25, 3), MatrixXd::Zero(25, 3)};
    for (Index k = 0; k < 25; ++k)
      for (Index c = 0; c < 3; ++c) {
        const double before = any(generator), after = any(generator);
        samples.impulse(k, c) = 0.7 * (after - before) * (1.0 + error(generator));
        samples.change(k, c) = after * (1.0 + error(generator)) - before * (1.0 + error(generator));
      }
    const MassFit fit = fit_mass(samples);
    if (fit.low > 0.7 || fit.high < 0.7) ++missed;
    worst = std::max(worst, std::abs(fit.mass / 0.7 - 1.0));
  }
  CHECK(missed <= 5);
  CHECK(worst < 0.02);
}

// Feet that push in turn, parts that swing: the weight is what is left over in the sum.
TEST_CASE("a robot's mass comes from its weight though its base swings") {
  const double mass = 20.0, step = 0.01;
  const Eigen::Vector3d gravity(0.0, 0.0, -9.81);
  MassSamples samples{MatrixXd::Zero(1000, 3), MatrixXd::Zero(1000, 3)};
  for (Index k = 0; k < 1000; ++k) {
    const double phase = 0.07 * static_cast<double>(k);
    samples.impulse(k, 2) = mass * 9.81 * step * (1.0 + 0.5 * std::sin(phase));
    samples.change(k, 2) = 9.81 * step + 0.02 * std::cos(phase);
  }
  const MassFit fit = fit_weight(samples, gravity);
  CHECK(std::abs(fit.mass / mass - 1.0) < 0.005);
  CHECK(fit.low < mass);
  CHECK(mass < fit.high);
}

TEST_CASE("no contact at all has no friction") {
  CHECK(std::isnan(fit_friction(VectorXd::Zero(5), VectorXd::Zero(5), 0.01).mu));
}

}  // namespace pequod
