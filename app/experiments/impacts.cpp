// Balls whose impacts have closed forms.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/experiments/analytic.h"

namespace pequod::app {
namespace {

constexpr double kFall = 1.0;  // m

void set_restitution(Scenario& scenario, double e) {
  for (Surface& surface : scenario.model.surfaces) surface.restitution = e;
}

// Largest error of the impact times against T (1 + 2 (e + … + eᵏ⁻¹)).
double impact_time_error(const Scenario& scenario, const Trace& trace, double e) {
  const double T = std::sqrt(2.0 * kFall / scenario.model.gravity.norm());
  double expected = T, flight = 2.0 * T, worst = 0.0;
  for (const EventRow& row : trace.events) {
    if (row.kind != EventKind::impact) continue;
    worst = std::max(worst, std::abs(row.t - expected));
    flight *= e;
    expected += flight;
  }
  return worst;
}

double zeno_time_error(const Scenario& scenario, const Trace& trace, double e) {
  const double rest =
      std::sqrt(2.0 * kFall / scenario.model.gravity.norm()) * (1.0 + e) / (1.0 - e);
  double worst = kInfinity;
  for (const EventRow& row : trace.events)
    if (row.kind == EventKind::zeno) worst = std::abs(row.t - rest);
  return worst;
}

std::vector<double> steps(bool quick) {
  if (quick) return {1e-3, 1e-1};
  return {1e-4, 1e-3, 1e-2, 1e-1};
}

void elastic_energy(const Stage& stage) {
  const int bounces = stage.quick ? 100 : 1000;
  Scenario scenario = stage.load("bouncing_ball");
  set_restitution(scenario, 1.0);
  const double T = std::sqrt(2.0 * kFall / scenario.model.gravity.norm());
  scenario.duration = T * 2.0 * bounces;
  scenario.integrator.step = 0.01;
  Simulation run(scenario);
  run.run();
  const double energy = report_energy(scenario.model, run.kinematics(), run.state()).total;
  stage.at_most("bouncing_ball", fmt::format("energy after {} elastic bounces, relative", bounces),
                std::abs(energy / run.state().ledger.initial - 1.0), 1e-12, "5.7e-4 (h = 0.01 s)");
}

}  // namespace

void bouncing_ball(const Stage& stage) {
  double impacts = 0.0, zeno = 0.0;
  for (int tenths = 0; tenths <= 10; tenths += stage.quick ? 5 : 1) {
    const double e = 0.1 * tenths;
    for (const double h : steps(stage.quick)) {
      Scenario scenario = stage.load("bouncing_ball");
      set_restitution(scenario, e);
      const double T = std::sqrt(2.0 * kFall / scenario.model.gravity.norm());
      scenario.integrator.step = h;
      scenario.duration = tenths == 10 ? 20.0 * T : T * (1.0 + e) / (1.0 - e) + 0.1;
      const Trace trace = simulate(scenario);
      impacts = std::max(impacts, impact_time_error(scenario, trace, e));
      if (tenths > 0 && tenths < 10) zeno = std::max(zeno, zeno_time_error(scenario, trace, e));
    }
  }
  stage.at_most("bouncing_ball", "impact times, s; e = 0 … 1, steps to 0.1 s", impacts, 1e-10);
  stage.at_most("bouncing_ball", "end of the series, s; e = 0.1 … 0.9", zeno, 1e-9);
  elastic_energy(stage);
}

void cradles(const Stage& stage) {
  const auto worst = [&](const char* name, std::vector<double> expected) {
    const Trace trace = simulate(stage.load(name));
    double error = 0.0;
    for (std::size_t i = 0; i < expected.size(); ++i)
      error = std::max(error,
                       std::abs(trace.state.v[6 * static_cast<Eigen::Index>(i) + 3] - expected[i]));
    stage.at_most(name, "speeds of the balls, m/s", error, 1e-9);
  };
  worst("cradle", {0.0, 0.0, 0.0, 0.0, 1.0});
  worst("cradle_touching", {-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0});
}

}  // namespace pequod::app
