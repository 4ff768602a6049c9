// Descent on penalties finds the rows that samples were made from.
#include "contact/fit/penalty_fit.h"

#include <doctest/doctest.h>

#include <random>

#include "contact/solvers/linear/decompositions.h"

namespace pequod {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// 0 ≤ λ ⊥ λ + 1.5 d − 0.5 ≥ 0.
FitSamples spring(int count) {
  std::mt19937_64 generator(5);
  std::uniform_real_distribution<double> any(-2.0, 2.0);
  FitSamples samples{MatrixXd(count, 1), MatrixXd(count, 1)};
  for (Index i = 0; i < count; ++i) {
    samples.inputs(i, 0) = any(generator);
    samples.lambda(i, 0) = std::max(0.0, 0.5 - 1.5 * samples.inputs(i, 0));
  }
  return samples;
}

}  // namespace

// The step bound of 1e-15 leaves that times the condition of the samples, some 100.
TEST_CASE("descent finds a row whose first entry is held, and zero if none is") {
  PenaltyOptions options;
  options.fixed = 0;
  const PenaltyRow row = descend(spring(200), 0, {}, options);
  CHECK(row.converged);
  CHECK((row.entries - Vector3d(1.0, 1.5, -0.5)).lpNorm<Eigen::Infinity>() < 1e-11);
  CHECK(descend(spring(200), 0, {}, {}).entries == Vector3d::Zero());
}

TEST_CASE("descent on the prediction alone is least squares") {
  const FitSamples samples = spring(50);
  const VectorXd target =
      2.0 * samples.lambda.col(0) - samples.inputs.col(0) + VectorXd::LinSpaced(50, 0.0, 1.0);
  PenaltyOptions options;
  options.prediction = 1.0;
  options.complementarity = options.sign = 0.0;
  MatrixXd F(50, 3);
  F << samples.lambda, samples.inputs, VectorXd::Ones(50);
  const VectorXd truth = LeastNormFactor(F).solve(target);
  CHECK((descend(samples, 0, target, options).entries - truth).lpNorm<Eigen::Infinity>() < 1e-11);
}

// Three springs that feel each other by a matrix of the basis form.
TEST_CASE("the basis form comes back from a start nearby") {
  BasisForm truth{Vector3d(1.0, 0.5, 0.3), Vector3d(0.4, 0.0, 0.6), Vector3d(0.2, -0.7, 0.5),
                  Matrix3d::Zero()};
  truth.W << 1.0, 0.3, 0.1, -0.4, 1.0, -0.2, 0.6, -0.8, 0.3;
  std::mt19937_64 generator(3);
  std::uniform_real_distribution<double> any(0.0, 2.0);

  FitSamples samples{MatrixXd(400, 3), MatrixXd(400, 2)};
  for (Index i = 0; i < 400; ++i) {
    samples.inputs.row(i) << any(generator) - 1.0, any(generator) - 1.0;
    // Of the 8 sets of contacts the one that solves the problem; M is positive definite.
    const Vector3d q = truth.W * Vector3d(samples.inputs(i, 0), samples.inputs(i, 1), 1.0);
    for (unsigned set = 0; set < 8; ++set) {
      Matrix3d A = truth.M();
      Vector3d b = -q;
      for (Index j = 0; j < 3; ++j)
        if ((set >> j & 1U) == 0) {
          A.row(j) = Matrix3d::Identity().row(j);
          b[j] = 0.0;
        }
      const Vector3d force = solve_square(A, VectorXd(b));
      if (force.minCoeff() < -1e-12 || (truth.M() * force + q).minCoeff() < -1e-12) continue;
      samples.lambda.row(i) = force.cwiseMax(0.0);
      break;
    }
  }
  BasisForm start = truth;
  start.phi *= 1.3;
  start.alpha.array() += 0.2;
  start.beta.array() -= 0.2;
  start.W *= 0.8;
  const BasisFit fit = fit_basis(samples, truth.M().rowwise().sum(), start);
  CHECK(fit.cost < 1e-20);
  CHECK((fit.form.M() - truth.M()).lpNorm<Eigen::Infinity>() < 1e-8);
}

}  // namespace pequod
