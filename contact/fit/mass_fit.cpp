#include "contact/fit/mass_fit.h"

#include <algorithm>

#include "contact/fit/interval.h"

namespace pequod {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr Index kStretches = 20;

int pushed(const MassSamples& samples) {
  return static_cast<int>((samples.impulse.rowwise().squaredNorm().array() > 0.0).count());
}

}  // namespace

MassFit fit_mass(const MassSamples& samples) {
  MassFit fit;
  fit.intervals = pushed(samples);
  const Index n = samples.impulse.rows();
  VectorXd impulse(n), change = VectorXd::Zero(n);  // the latter along the former
  for (Index k = 0; k < n; ++k) {
    impulse[k] = samples.impulse.row(k).norm();
    if (impulse[k] > 0.0)
      change[k] = samples.impulse.row(k).dot(samples.change.row(k)) / impulse[k];
  }
  const double sum = impulse.sum();
  if (!(sum > 0.0)) return fit;
  const double inverse = change.sum() / sum;
  if (!(inverse > 0.0)) return fit;
  fit.mass = 1.0 / inverse;
  // 1/m without each interval in turn (the jackknife), and how many intervals the sum really has.
  double squares = 0.0;
  for (Index k = 0; k < n; ++k)
    if (impulse[k] > 0.0 && impulse[k] < sum)
      squares += std::pow((change[k] - inverse * impulse[k]) / (sum - impulse[k]), 2);
  const long effective = std::lround(sum * sum / impulse.squaredNorm());
  const long freedom = fit.intervals < 2 ? 0 : std::max(effective - 1, 1L);
  const double spread = freedom < 1 ? INFINITY : three_sigma_factor(freedom) * std::sqrt(squares);
  fit.low = 1.0 / (inverse + spread);
  fit.high = spread < inverse ? 1.0 / (inverse - spread) : INFINITY;
  return fit;
}

MassFit fit_weight(const MassSamples& samples, const Eigen::Vector3d& gravity) {
  MassFit fit;
  fit.intervals = pushed(samples);
  const Index n = samples.impulse.rows(), stretches = std::min(n, kStretches);
  if (fit.intervals == 0 || !(gravity.norm() > 0.0)) return fit;
  const Eigen::Vector3d up = -gravity.normalized();
  const VectorXd impulse = samples.impulse * up, change = samples.change * up;
  fit.mass = impulse.sum() / change.sum();
  double squares = 0.0;
  for (Index k = 0; k < stretches; ++k) {
    const Index first = k * n / stretches, count = (k + 1) * n / stretches - first;
    const double rest =
        impulse.segment(first, count).sum() - fit.mass * change.segment(first, count).sum();
    squares += rest * rest;
  }
  const double k = static_cast<double>(stretches);
  const double error =
      k > 1 ? std::sqrt(squares * k / (k - 1.0)) / std::abs(change.sum()) : INFINITY;
  const double spread = three_sigma_factor(static_cast<long>(stretches) - 1) * error;
  fit.low = fit.mass - spread;
  fit.high = fit.mass + spread;
  return fit;
}

}  // namespace pequod
