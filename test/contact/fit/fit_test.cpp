// Fits recover what the samples were made from.
#include <doctest/doctest.h>

#include <random>

#include "contact/fit/friction_fit.h"
#include "contact/fit/lcp_fit.h"

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

TEST_CASE("no contact at all has no friction") {
  CHECK(std::isnan(fit_friction(VectorXd::Zero(5), VectorXd::Zero(5), 0.01).mu));
}

}  // namespace pequod
