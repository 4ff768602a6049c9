// Contact laws learnt from transitions alone, against the laws that made them.
#include "contact/fit/transition_fit.h"

#include <doctest/doctest.h>

#include <random>

namespace pequod {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

TransitionSamples drawn(const TransitionLaw& law, Index count, double noise, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> any(-3.0, 3.0);
  std::normal_distribution<double> error(0.0, noise);
  TransitionSamples samples{MatrixXd(count, law.A.cols() - 1), MatrixXd()};
  for (double& entry : samples.inputs.reshaped()) entry = any(generator);
  samples.next = predicted(law, samples.inputs);
  if (noise > 0.0)
    for (double& entry : samples.next.reshaped()) entry += error(generator);
  return samples;
}

// x' = max(0, x + v − 0.5): a falling block on its floor.
TransitionLaw floor_law() {
  TransitionLaw law{MatrixXd::Zero(1, 3), MatrixXd::Ones(1, 1), MatrixXd::Ones(1, 1),
                    MatrixXd(1, 3)};
  law.H << -1.0, -1.0, 0.5;
  return law;
}

// Two contacts that feel each other.
TransitionLaw coupled_law() {
  TransitionLaw law{MatrixXd(2, 3), MatrixXd(2, 2), MatrixXd(2, 2), MatrixXd(2, 3)};
  law.A << 1.0, 0.0, 0.0, 0.0, 1.0, -0.1;
  law.B << 1.0, 0.2, 0.4, 1.0;
  law.M << 1.0, 0.5, 0.3, 1.0;
  law.H << 1.0, 0.2, 0.5, -0.3, 1.0, 0.2;
  return law;
}

}  // namespace

// Least squares of exact samples end at rounding.
TEST_CASE("a floor comes back from heights before and after, without its force") {
  const TransitionFit fit = fit_transitions(drawn(floor_law(), 200, 0.0, 1));
  CHECK(fit.relative < 1e-12);
  CHECK(fit.undetermined == 0);
  CHECK((fit.law.H - floor_law().H).lpNorm<Eigen::Infinity>() < 1e-10);
  CHECK(fit.law.A.lpNorm<Eigen::Infinity>() < 1e-10);
}

// Entries differ by scales and exchanges of λ and w; what counts is what they say of new inputs.
TEST_CASE("coupled contacts are learnt well enough to foretell what was not seen") {
  TransitionOptions options;
  options.forces = 2;
  const TransitionFit fit = fit_transitions(drawn(coupled_law(), 300, 0.0, 2), options);
  CHECK(fit.relative < 1e-12);
  CHECK(fit.undetermined == 0);
  const TransitionSamples fresh = drawn(coupled_law(), 1000, 0.0, 3);
  CHECK((predicted(fit.law, fresh.inputs) - fresh.next).lpNorm<Eigen::Infinity>() < 1e-9);
}

// Standard errors are asymptotic; four of them miss none of 3 entries in 15 cases.
TEST_CASE("with noise the law is off by no more than its standard errors say") {
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    const TransitionFit fit = fit_transitions(drawn(floor_law(), 300, 0.01, seed));
    CHECK(fit.rms < 0.012);
    for (Index c = 0; c < 3; ++c)
      CHECK(std::abs(fit.law.H(0, c) - floor_law().H(0, c)) < 4.0 * fit.error.H(0, c));
  }
}

TEST_CASE("too few forces leave an error that is seen") {
  TransitionLaw law{MatrixXd::Zero(1, 2), MatrixXd(1, 2), MatrixXd::Identity(2, 2), MatrixXd(2, 2)};
  law.B << 1.0, -1.0;
  law.H << -1.0, 1.0, 1.0, 1.0;
  CHECK(fit_transitions(drawn(law, 200, 0.0, 4)).relative > 0.05);
}

TEST_CASE("transitions of different counts are refused") {
  CHECK_THROWS_WITH_AS(fit_transitions({MatrixXd(3, 1), MatrixXd(2, 1)}),
                       "fit: 3 samples of the inputs, 2 of what follows, 1 forces (1 to 6)",
                       std::invalid_argument);
}

}  // namespace pequod
