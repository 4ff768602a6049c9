// When two times are one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "simulation/options.h"

namespace pequod {

/// s: how far apart one time may come out by different ways, as by multiples of two periods, sums
/// of steps, and decimals in a file.
[[nodiscard]] inline double time_rounding(double t) {
  constexpr double kWays = 4.0;
  const double size = std::abs(t);
  return kWays * (std::nextafter(size, std::numeric_limits<double>::infinity()) - size);
}

/// s: a step that is shorter is none, however exactly its length is known. Small against the steps
/// of the scene.
[[nodiscard]] inline double shortest_step(const Scenario& scenario) {
  return std::min(1e-12, 1e-3 * scenario.integrator.step);
}

/// s: times around t that are closer are one instant.
[[nodiscard]] inline double instant(const Scenario& scenario, double t) {
  return std::max(shortest_step(scenario), time_rounding(t));
}

/// s: the k-th multiple of a period, counted from where the run starts.
[[nodiscard]] inline double multiple(const Scenario& scenario, std::int64_t k, double period) {
  return scenario.initial.t + static_cast<double>(k) * period;
}

/// s: when the run ends.
[[nodiscard]] inline double end_time(const Scenario& scenario) {
  return scenario.initial.t + scenario.duration;
}

/// s: the shortest period whose multiples can be told apart all along the run.
[[nodiscard]] inline double shortest_period(const Scenario& scenario) {
  constexpr double kTellable = 16.0;
  return kTellable *
         time_rounding(std::max(std::abs(scenario.initial.t), std::abs(end_time(scenario))));
}

}  // namespace pequod
