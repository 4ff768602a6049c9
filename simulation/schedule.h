// When something is due in a run: steps of the scene, ticks, records, edges of forces, the end.
#pragma once

#include "simulation/instant.h"

namespace pequod {

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
