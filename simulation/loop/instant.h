// When two times are one, and when something is due.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "simulation/options.h"

namespace pequod {

/// s: how far apart one time may come out by different ways, as by multiples of two periods, sums
/// of steps, and decimals in a file.
[[nodiscard]] inline double time_rounding(double t) {
  constexpr double kWays = 4.0;
  const double size = std::abs(t);
  // The bits of the next larger number are the next larger ones.
  return kWays * (std::bit_cast<double>(std::bit_cast<std::uint64_t>(size) + 1) - size);
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

/// Whether a time (s) has come.
[[nodiscard]] inline bool has_come(const Scenario& scenario, const State& state, double due) {
  return state.t >= due - instant(scenario, state.t);
}

/// Whole steps of the scene up to a state: its own count, or where that was of steps of another
/// length, the one that fits its time.
[[nodiscard]] std::int64_t whole_steps(const Scenario& scenario, const State& state);

/// s: when the step of the scene that is under way ends; steps of a tolerance start where the last
/// ended.
[[nodiscard]] inline double step_end(const Scenario& scenario, const State& state) {
  return multiple(scenario, state.steps + 1, scenario.integrator.step);
}

/// s: the next instant at which something is due.
[[nodiscard]] double next_due(const Scenario& scenario, const State& state);

}  // namespace pequod
