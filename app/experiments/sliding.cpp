// Coulomb friction with closed forms: sliding to rolling, to rest, on slopes, and rolling.
#include <algorithm>
#include <cmath>

#include "app/experiments/analytic.h"

namespace pequod::app {
namespace {

constexpr double kSlope = 0.4, kRollSlope = 0.3;  // rad, of the scene files

Vector3d downhill(double slope) { return {std::cos(slope), 0.0, -std::sin(slope)}; }

void set_friction(Scenario& scenario, double mu) {
  for (Surface& surface : scenario.model.surfaces) surface.friction = mu;
}

double relative(double value, double truth) { return std::abs(value / truth - 1.0); }

// A quantity with each integrator: RK4 at 1e-9, symplectic Euler at its own first order in the
// step.
void slide_to_roll_at(const Stage& stage, const char* integrator, double asked) {
  Scenario scenario = stage.load("slide_to_roll");
  scenario.integrator.method = integrator;
  const double mu = scenario.model.surfaces.front().friction;
  const double g = scenario.model.gravity.norm(), v0 = scenario.initial.v[3];
  const Trace trace = simulate(scenario);
  const double t = 2.0 * v0 / (7.0 * mu * g), rolling = 5.0 / 7.0 * v0;
  const double x = 12.0 / 49.0 * v0 * v0 / (mu * g) + rolling * (scenario.duration - t);
  stage.at_most("slide_to_roll", std::string("speed of rolling, relative; ") + integrator,
                relative(trace.state.v[3], rolling), asked);
  stage.at_most("slide_to_roll", std::string("way of the ball, relative; ") + integrator,
                relative(trace.state.q[0], x), asked);
}

void slide_to_rest_at(const Stage& stage, const char* integrator, double asked) {
  Scenario scenario = stage.load("slide_to_rest");
  scenario.integrator.method = integrator;
  const double mu = scenario.model.surfaces.front().friction;
  const double g = scenario.model.gravity.norm(), v0 = scenario.initial.v[3];
  const Trace trace = simulate(scenario);
  stage.at_most("slide_to_rest", std::string("way of the block, relative; ") + integrator,
                relative(trace.state.q[0], v0 * v0 / (2.0 * mu * g)), asked);
}

// How far it is down the slope after its duration.
double slid(const Scenario& scenario) {
  const Trace trace = simulate(scenario);
  return (trace.state.q.head<3>() - scenario.initial.q.head<3>()).dot(downhill(kSlope));
}

void roll(const Stage& stage, const char* name, double share) {
  const Scenario scenario = stage.load(name);
  const double g = scenario.model.gravity.norm(), t = scenario.duration;
  const Trace trace = simulate(scenario);
  const double way =
      (trace.state.q.head<3>() - scenario.initial.q.head<3>()).dot(downhill(kRollSlope));
  stage.at_most(name, "way down the slope, relative",
                relative(way, 0.5 * share * g * std::sin(kRollSlope) * t * t), 1e-9);
  const double gained = scenario.model.links.front().inertia.mass * g * way * std::sin(kRollSlope);
  stage.at_most(name, "energy, relative to what it fell",
                trace.statistics.energy_residual_max / gained, 1e-9);
}

}  // namespace

// Symplectic Euler at 0.01 s: v and x are off by g h and v h at most, 1 % of each here.
void sliding(const Stage& stage) {
  for (const auto& [integrator, asked] :
       {std::pair{"rk4", 1e-9}, std::pair{"symplectic-euler", 0.02}}) {
    slide_to_roll_at(stage, integrator, asked);
    slide_to_rest_at(stage, integrator, asked);
  }
}

void slopes(const Stage& stage) {
  Scenario scenario = stage.load("slope");
  if (stage.quick) scenario.duration = 6.0;
  set_friction(scenario, std::tan(kSlope) / 0.98);
  stage.at_most("slope", "creep at 0.98 of the friction angle, m", std::abs(slid(scenario)), 1e-12,
                "50e-6 m/s");
  scenario.duration = 1.0;
  const double mu = std::tan(kSlope) / 1.02;
  set_friction(scenario, mu);
  const double g = scenario.model.gravity.norm();
  const double way = 0.5 * g * (std::sin(kSlope) - mu * std::cos(kSlope));
  stage.at_most("slope", "way in 1 s at 1.02 of the friction angle, relative",
                relative(slid(scenario), way), 1e-9);
}

void rolling(const Stage& stage) {
  roll(stage, "rolling_ball", 5.0 / 7.0);
  roll(stage, "rolling_cylinder", 2.0 / 3.0);
}

}  // namespace pequod::app
