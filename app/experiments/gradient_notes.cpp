// Fits by descent on penalties: how many samples they need (Pfrommer 2019, sec. 3.1.1–3.1.3).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "app/experiments/chart.h"
#include "app/experiments/lcp_notes.h"
#include "contact/fit/penalty_fit.h"
#include "contact/formulations/blocks.h"

namespace pequod::app {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kFriction = 1.0;  // F
constexpr double kStep = 0.1;      // Δt of the direct forms, s

// What the two-way form tells of a step: both speeds, and the friction that is left.
struct TwoWay {
  MatrixXd speeds, slack, inputs;
};

TwoWay two_way_samples(int count) {
  std::mt19937_64 generator(31);
  std::uniform_real_distribution<double> any(-3.0, 3.0);
  TwoWay all{MatrixXd(count, 2), MatrixXd(count, 2), MatrixXd(count, 2)};
  for (Index i = 0; i < count; ++i) {
    // Speeds small enough that a step's friction may hold.
    const double v = 0.1 * any(generator), u = any(generator);
    const LcpProblem problem =
        two_way_block({std::max(v, 0.0), std::max(-v, 0.0)}, u, kFriction, kStep);
    const VectorXd z = (-problem.q.array() / problem.M.diagonal().array()).max(0.0);
    all.speeds.row(i) = z;
    all.slack.row(i) = problem.M * z + problem.q;
    all.inputs.row(i) << v, u;
  }
  return all;
}

double worst_row(const FitSamples& samples, const MatrixXd& targets, const MatrixXd& truth,
                 const PenaltyOptions& options) {
  double worst = 0.0;
  for (int row = 0; row < 2; ++row) {
    const PenaltyRow found = descend(samples, row, targets.col(row), options);
    worst = std::max(worst, (found.entries - truth.row(row).transpose()).lpNorm<Eigen::Infinity>());
  }
  return worst;
}

// ẋ' = f + G λ with the friction known: in the direct form it takes the force that is no force.
void known_friction(const Stage& stage) {
  const TwoWay data = two_way_samples(stage.quick ? 200 : 1000);
  PenaltyOptions options;
  options.prediction = 1.0;
  MatrixXd slack_form(2, 5), direct(2, 5);
  slack_form << kStep, 0.0, 1.0, kStep, -kStep * kFriction, 0.0, kStep, -1.0, -kStep,
      -kStep * kFriction;
  stage.at_most("6.6 slack friction", "3.1.2 by descent: G = Δt I and f, entries",
                worst_row({data.slack, data.inputs}, data.speeds, slack_form, options), 1e-9,
                "G = Δt I");
  // λ⁻ = F − λ'⁻ and λ⁺ = F − λ'⁺.
  const MatrixXd friction = kFriction - data.slack.rowwise().reverse().array();
  direct << 0.0, -kStep, 1.0, kStep, 0.0, -kStep, 0.0, -1.0, -kStep, 0.0;
  options.complementarity = 0.0;
  stage.at_most("6.6 direct form", "3.1.1 by descent on the prediction: G and f, entries",
                worst_row({friction, data.inputs}, data.speeds, direct, options), 1e-9,
                "G = −Δt swap");
}

// An entry of each row is held at its true value.
double traditional_error(const FitSamples& samples, int most_steps, int& steps) {
  const LcpProblem form = traditional_block({1.0, 0.0, kFriction});
  double worst = 0.0;
  for (int row = 0; row < 3; ++row) {
    PenaltyOptions options;
    options.fixed = 0;
    options.fixed_value = form.M(row, 0);
    options.most_steps = most_steps;
    const PenaltyRow found = descend(samples, row, {}, options);
    steps = std::max(steps, found.steps);
    const Vector3d M = found.entries.head<3>();
    worst = std::max(worst, (M - form.M.row(row).transpose()).lpNorm<Eigen::Infinity>());
  }
  return worst;
}

void traditional(const Stage& stage) {
  Chart chart{"Traditional form by descent on penalties",   "samples", "largest error of M", true,
              {{"worst of the seeds", {}}, {"median", {}}}, true};
  double few = 0.0, many = 0.0;
  const int most = stage.quick ? 1000 : 10000;
  for (const int count : {10, 30, 100, 300, 1000, 10000}) {
    if (count > most) break;
    const int seeds = count >= 10000 ? 3 : 15;
    std::vector<double> errors;
    int steps = 0;
    for (int seed = 1; seed <= seeds; ++seed)
      errors.push_back(traditional_error(
          block_samples(count, BlockForces::spread, static_cast<std::uint64_t>(seed)), 20000,
          steps));
    std::sort(errors.begin(), errors.end());
    chart.curves[0].points.emplace_back(count, errors.back());
    chart.curves[1].points.emplace_back(count, errors[errors.size() / 2]);
    stage.print(
        fmt::format("    {:>6} samples: M off by {:.2g} at worst, {:.2g} in the middle; {} "
                    "seeds, at most {} steps\n",
                    count, errors.back(), errors[errors.size() / 2], seeds, steps));
    if (count == 10) few = errors.back();
    many = errors.back();
  }
  stage.at_most("6.6 gradient fit", fmt::format("3.1.3, {} samples: M, entries", most), many, 1e-9,
                "10 000 to 30 000");
  stage.at_least("6.6 gradient fit", "3.1.3, 10 samples: M, entries, worst of 15 seeds", few, 0.1,
                 "not reliable");
  const FitSamples samples = block_samples(300, BlockForces::spread, 1);
  const PenaltyRow zero = descend(samples, 0, {}, {});
  stage.at_most("6.6 gradient fit", "no entry held: f = G = 0 costs", zero.cost, 0.0, "trivial");
  stage.draw(chart_svg(chart));
}

BasisForm printed_form() {
  BasisForm form{Vector3d(-1.0, 1.0, 0.0), Vector3d::Zero(), Vector3d(0.0, 1.0, 1.0),
                 Matrix3d::Zero()};
  form.W << 1.0, 1.0, 0.0, -1.0, -1.0, 0.0, 0.0, 0.0, kFriction;
  return form;
}

void basis(const Stage& stage) {
  const Matrix3d M = traditional_block({0.0, 0.0, kFriction}).M;
  stage.at_most("6.6 basis form", "3.1.3: the printed decomposition with φ = (−1, 1, 0) gives M",
                (printed_form().M() - M).lpNorm<Eigen::Infinity>(), 0.0);
  const FitSamples samples = block_samples(300, BlockForces::spread, 1);
  const int starts = stage.quick ? 5 : 20;
  std::mt19937_64 generator(17);
  std::normal_distribution<double> any;
  BasisFit best;
  int recovered = 0;
  const auto error = [&](const BasisFit& fit) {
    return (fit.form.M() - M).lpNorm<Eigen::Infinity>();
  };
  for (int k = 0; k < starts; ++k) {
    BasisForm start{Vector3d(any(generator), any(generator), any(generator)), Vector3d::Ones(),
                    Vector3d(any(generator), any(generator), any(generator)), Matrix3d::Zero()};
    const BasisFit fit = fit_basis(samples, M.rowwise().sum(), start);
    if (error(fit) < 1e-9) ++recovered;
    if (!(fit.cost >= best.cost)) best = fit;
  }
  stage.at_most("6.6 basis form",
                fmt::format("sums of rows held: M, the cheapest of {} starts ({} recover it)",
                            starts, recovered),
                error(best), 1e-9, "recovered");
}

}  // namespace

void gradient_notes(const Stage& stage) {
  known_friction(stage);
  traditional(stage);
  basis(stage);
}

}  // namespace pequod::app
