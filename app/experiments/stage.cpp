#include <cmath>

#include "app/experiments/experiment.h"
#include "scene/scene.h"

namespace pequod::app {

Scenario Stage::load(const std::string& name) const {
  Diagnostics diagnostics;
  Scenario scenario = load_scene(scenes / (name + ".yaml"), {}, diagnostics);
  if (!diagnostics.ok()) throw BadScene(diagnostics.text(Severity::error));
  return scenario;
}

Trace simulate(const Scenario& scenario) {
  Trace trace;
  Observer observer;
  observer.events = [&](std::span<const EventRow> rows) {
    trace.events.insert(trace.events.end(), rows.begin(), rows.end());
  };
  Simulation run(scenario, observer);
  run.run();
  trace.state = run.state();
  trace.statistics = run.statistics();
  return trace;
}

std::vector<double> halving_errors(Scenario scenario, int halvings) {
  const double h = scenario.integrator.step;
  const auto end = [&](int k) {
    scenario.integrator.step = std::ldexp(h, -k);
    return simulate(scenario).state;
  };
  const State truth = end(halvings + 4);
  std::vector<double> errors;
  for (int k = 0; k <= halvings; ++k) {
    const State state = end(k);
    errors.push_back((state.q - truth.q).norm() + (state.v - truth.v).norm());
  }
  return errors;
}

double observed_order(std::span<const double> errors) {
  return std::log2(errors.front() / errors.back()) / static_cast<double>(errors.size() - 1);
}

}  // namespace pequod::app
