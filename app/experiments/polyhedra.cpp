// Bodies with corners: a wheel of spokes, a rocking block, a tumbling stone.
#include <algorithm>
#include <cmath>
#include <vector>

#include "app/experiments/analytic.h"

namespace pequod::app {
namespace {

/// Kinetic energy just before and just after each impact.
struct Blow {
  double t, before, after;
};
std::vector<Blow> find_blows(const Scenario& scenario) {
  std::vector<Blow> blows;
  bool hit = false;
  Observer observer;
  observer.events = [&](std::span<const EventRow> rows) {
    for (const EventRow& row : rows) hit = hit || row.kind == EventKind::impact;
  };
  Simulation run(scenario, observer);
  for (double lost = 0.0; run.step(); lost = run.state().ledger.impact_loss, hit = false) {
    if (!hit) continue;
    const double after = kinetic_energy(scenario.model, run.kinematics(), run.state().v);
    blows.push_back({run.state().t, after + run.state().ledger.impact_loss - lost, after});
  }
  return blows;
}

double ratio_error(const Blow& blow, double ratio) {
  return std::abs(std::sqrt(blow.after / blow.before) / ratio - 1.0);
}

}  // namespace

// At the change both edges are down, so the kinetic energies are as the squares of the angular
// velocities.
void rocking_block(const Stage& stage) {
  const std::vector<Blow> blows = find_blows(stage.load("rocking_block"));
  const double ratio = 1.0 - 1.5 * std::pow(std::sin(0.2), 2);
  double worst = 0.0;
  for (std::size_t i = 0; i < 4; ++i) worst = std::max(worst, ratio_error(blows.at(i), ratio));
  stage.at_most("rocking_block", "ratio of angular velocities at 4 impacts, relative", worst, 1e-9);
}

void rimless_wheel(const Stage& stage) {
  const Scenario scenario = stage.load("rimless_wheel");
  const double R = 0.5, slope = 0.15, half = std::acos(-1.0) / 8.0;
  const Inertia& body = scenario.model.links.front().inertia;
  const double pivot = body.about_com(1, 1) + body.mass * R * R;
  const double r = (body.about_com(1, 1) + body.mass * R * R * std::cos(2.0 * half)) / pivot;
  const double gained =
      2.0 * body.mass * scenario.model.gravity.norm() * R * std::sin(half) * std::sin(slope);
  const double settled = std::sqrt(2.0 * gained / (pivot * (1.0 - r * r)));
  const std::vector<Blow> blows = find_blows(scenario);
  double worst = 0.0;  // the first blow is that of the side it was set down on
  for (std::size_t i = 1; i < blows.size(); ++i) worst = std::max(worst, ratio_error(blows[i], r));
  stage.at_most("rimless_wheel", "ratio of angular velocities at each impact, relative", worst,
                1e-9);
  const double omega = std::sqrt(2.0 * blows.back().before / pivot);
  stage.at_most("rimless_wheel", "speed it settles at, relative", std::abs(omega / settled - 1.0),
                1e-9);
}

void tumbling(const Stage& stage) {
  const std::vector<double> errors = halving_errors(stage.load("tumbling"), 4);
  stage.at_least("tumbling", "order of the state through impacts, 4 halvings",
                 observed_order(errors), 3.7);
}

}  // namespace pequod::app
