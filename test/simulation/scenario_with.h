// Scenarios that tests build in place, and their runs.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "simulation/simulation.h"

namespace pequod {

/// The model at rest, as it is described but for its first bodies, which are free and have these
/// places, m.
inline Scenario scenario_with(Model model, std::span<const Vector3d> places = {}) {
  Scenario scenario;
  scenario.model = std::move(model);
  scenario.initial = make_state(scenario.model);
  for (std::size_t i = 0; i < places.size(); ++i)
    scenario.initial.q.segment<3>(7 * static_cast<Eigen::Index>(i)) = places[i];
  return scenario;
}

/// A run whose rows of events are appended to these.
inline Simulation run_with_rows(const Scenario& scenario, std::vector<EventRow>& rows) {
  Observer observer;
  observer.events = [&rows](std::span<const EventRow> now) {
    rows.insert(rows.end(), now.begin(), now.end());
  };
  return Simulation(scenario, observer);
}

}  // namespace pequod
