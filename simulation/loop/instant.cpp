#include "simulation/loop/instant.h"

#include <algorithm>
#include <cmath>

namespace pequod {

std::int64_t whole_steps(const Scenario& scenario, const State& state) {
  const double step = scenario.integrator.step, within = instant(scenario, state.t);
  const bool fits = state.t >= multiple(scenario, state.steps, step) - within &&
                    state.t <= multiple(scenario, state.steps + 1, step) + within;
  if (fits) return state.steps;
  return static_cast<std::int64_t>(std::floor((state.t - scenario.initial.t + within) / step));
}

double next_due(const Scenario& scenario, const State& state) {
  const IntegratorOptions& integrator = scenario.integrator;
  const double adapted = state.t + (state.step > 0.0 ? state.step : integrator.step);
  double next = std::min(end_time(scenario),
                         integrator.tolerance > 0.0 ? adapted : step_end(scenario, state));
  next = std::min(next, multiple(scenario, state.records, scenario.record.every));
  for (std::size_t i = 0; i < scenario.controllers.size(); ++i)
    next = std::min(next, multiple(scenario, state.ticks[i], scenario.controllers[i].period));
  for (const ExternalForce& force : scenario.forces)
    for (const double edge : {force.from, force.to})
      if (!has_come(scenario, state, edge)) next = std::min(next, edge);
  return next;
}

}  // namespace pequod
