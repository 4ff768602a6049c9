// What the gap of an open contact can do between two samples {gap, rate, curvature, acceleration,
// present}: SI, acceleration not a number where it is not known, present false where its features
// do not face each other.
#pragma once

#include <algorithm>
#include <cmath>

#include "simulation/event/tolerances.h"
#include "simulation/scene_tolerances.h"

namespace pequod {

/// m/s², over an interval of length h between two samples.
template <typename Sample>
double bound_curvature(const Sample& l, const Sample& r, double h) {
  return kCurvatureMargin * (std::abs(r.rate - l.rate) / h + std::max(l.curvature, r.curvature)) +
         kRateSwing * (std::abs(l.rate) + std::abs(r.rate)) / h;
}

/// Bounds on φ̈ over an interval, m/s². If it is known at both ends it stays between those values,
/// give or take 6δ, δ what its mean differs by from the mean of both. Else the cubic through both
/// ends has φ̈ = m ± 6δ/h, m the mean and δ what the mean rate differs by from the mean of the
/// rates. φ̈ may leave these ranges by as many times their 6δ as K may.
struct AccelerationRange {
  double low, high;
};
template <typename Sample>
bool knows_accelerations(const Sample& l, const Sample& r) {
  return std::isfinite(l.acceleration) && std::isfinite(r.acceleration);
}
template <typename Sample>
AccelerationRange bound_acceleration(const Sample& l, const Sample& r, double h) {
  const double swing = kRateSwing * (std::abs(l.rate) + std::abs(r.rate)) / h;
  const double mean = (r.rate - l.rate) / h;
  const auto reach = [&](double delta) { return kCurvatureMargin * 6.0 * std::abs(delta) + swing; };
  if (knows_accelerations(l, r)) {
    const auto [low, high] = std::minmax(l.acceleration, r.acceleration);
    const double beyond = reach(mean - 0.5 * (low + high));
    return {low - beyond, high + beyond};
  }
  const double beyond = reach(((r.gap - l.gap) / h - 0.5 * (l.rate + r.rate)) / h);
  return {mean - beyond, mean + beyond};
}

/// m: what a gap that changes so slowly may sink to without an event. It touches at the next step's
/// start, and is stopped there without an impact worth the name; of smooth ground that is given by
/// facets, one after another does.
template <typename Sample>
double grazing_depth(const Sample& sample, const SceneTolerances& tolerance) {
  return std::abs(sample.rate) <= kGrazing * tolerance.pace ? tolerance.still() : 0.0;
}

/// Has not closed by the end r of an interval: what is within rounding of zero on its way up would
/// meet again and again, without an impact, within one instant.
template <typename Sample>
bool ends_open(const Sample& r, const SceneTolerances& tolerance) {
  return r.gap >= -grazing_depth(r, tolerance) || (r.gap >= -tolerance.noise() && r.rate > 0.0);
}

/// Lies below zero where the step starts and sinks no faster than what rests: corners of one face
/// that are coplanar to the digits of a file only cannot all be at zero.
template <typename Sample>
bool stays_below(const Sample& l, const Sample& r, double h, const SceneTolerances& tolerance) {
  const bool below = -tolerance.noise() > l.gap && l.gap > -0.5 * tolerance.gap();
  return below && r.gap >= l.gap - h * tolerance.speed() && r.rate >= -tolerance.speed();
}

/// The gap curves upwards all along: φ ≥ φ_a + φ̇_a s + ½As² proves at once what halving proves in a
/// dozen steps for one that has just opened from rest. One that came as fast as it leaves is no
/// such case: what flies past an edge keeps its rate until it is near, and turns at once.
template <typename Sample>
bool turns_away(const Sample& l, const Sample& r, double h, const SceneTolerances& tolerance) {
  if (!l.present || !r.present || !ends_open(r, tolerance)) return false;
  if (-l.rate * h > kFlight * tolerance.length && -l.rate > kRateSwing * std::abs(r.rate))
    return false;
  const double A = bound_acceleration(l, r, h).low;
  if (A <= 0.0) return false;
  const double s = std::clamp(-l.rate / A, 0.0, h);
  return l.gap + s * (l.rate + 0.5 * A * s) > -tolerance.noise();
}

/// Features that come to face each other within the interval and part at its end, below zero by no
/// more than what touches still: others moved them there, and they come back by themselves.
template <typename Sample>
bool comes_back(const Sample& l, const Sample& r, const SceneTolerances& tolerance) {
  return !l.present && r.present && !ends_open(r, tolerance) && r.rate > tolerance.speed() &&
         r.gap > -tolerance.still();
}

/// φ ≥ φ_a + φ̇_a s − ½Ks² and φ ≥ φ_b − φ̇_b s' − ½Ks'²: the interval is free of zeros if both
/// parabolas are positive where they meet (they are concave, and their difference is linear). What
/// stays within rounding of zero and ends at or above it has not crossed either.
template <typename Sample>
bool excluded(const Sample& l, const Sample& r, double h, const SceneTolerances& tolerance) {
  if (turns_away(l, r, h, tolerance) || comes_back(l, r, tolerance)) return true;
  const double noise =
      tolerance.noise() + std::min(grazing_depth(l, tolerance), grazing_depth(r, tolerance));
  if (l.gap < -noise || !ends_open(r, tolerance)) return false;
  const double K = bound_curvature(l, r, h);
  const auto from_left = [&](double s) { return l.gap + s * (l.rate - 0.5 * K * s) + noise; };
  const auto from_right = [&](double s) {
    return r.gap - (h - s) * (r.rate + 0.5 * K * (h - s)) + noise;
  };
  // Features that meet or part within the interval: one end alone must prove it.
  if (!l.present || !r.present)
    return (!l.present || from_left(h) > 0.0) && (!r.present || from_right(0.0) > 0.0);
  const double offset = l.gap - from_right(0.0);
  const double slope = l.rate - r.rate - K * h;
  const double s = std::clamp(slope < 0.0 ? -offset / slope : h, 0.0, h);
  return from_left(s) > 0.0 && from_right(s) > 0.0;
}

/// One sign change: the gap shrinks at both ends, or curves one way all along. (Upwards counts only
/// where accelerations are known: the impulses of a step at the velocity level bend its path too.)
template <typename Sample>
bool crosses_once(const Sample& l, const Sample& r, double h, const SceneTolerances& tolerance) {
  if (ends_open(r, tolerance)) return false;
  if (l.rate < 0.0 && r.rate < 0.0) return true;
  if (!l.present || !r.present || l.gap < 0.0) return false;
  const AccelerationRange range = bound_acceleration(l, r, h);
  return range.high < 0.0 ||
         (range.low > 0.0 && l.gap > tolerance.noise() && knows_accelerations(l, r));
}

}  // namespace pequod
