// Bodies on bodies that stand, and balls that fall among each other.
#include <algorithm>
#include <cmath>

#include "app/experiments/analytic.h"
#include "app/experiments/ball_grid.h"

namespace pequod::app {
namespace {

// m: the farthest that a body has moved, its turns by the arm of a metre.
double drift(const Scenario& scenario, const State& state) {
  double farthest = 0.0;
  for (Eigen::Index i = 0; i + 7 <= state.q.size(); i += 7) {
    const auto moved = (state.q.segment<7>(i) - scenario.initial.q.segment<7>(i)).eval();
    farthest = std::max({farthest, moved.head<3>().norm(), 2.0 * moved.tail<4>().norm()});
  }
  return farthest;
}

void stand(const Stage& stage, const std::string& name, const std::string& what,
           const Scenario& scenario) {
  const Trace trace = simulate(scenario);
  const std::string seconds = std::to_string(static_cast<int>(scenario.duration)) + " s";
  stage.at_most(name, what + "drift in " + seconds + ", m or rad", drift(scenario, trace.state),
                1e-9);
  stage.at_most(name, what + "deepest, m", std::max(0.0, trace.statistics.max_penetration), 1e-9);
  stage.at_most(name, what + "fallback steps", static_cast<double>(trace.statistics.fallbacks),
                0.0);
}

void scale_mass(Inertia& inertia, double share) {
  inertia.mass *= share;
  inertia.about_com *= share;
}

// The stack with other masses: `share` of each box, counted from the ground.
template <typename Share>
Scenario stack_of(const Stage& stage, Share share) {
  Scenario scenario = stage.load("stack");
  int i = 0;
  for (Link& link : scenario.model.links) scale_mass(link.inertia, share(i++));
  return scenario;
}

}  // namespace

void piles(const Stage& stage) {
  const auto load = [&](const char* name) {
    Scenario scenario = stage.load(name);
    if (stage.quick) scenario.duration = 2.0;
    return scenario;
  };
  stand(stage, "stack", "", load("stack"));
  const auto stand_with = [&](const std::string& what, const auto& share) {
    Scenario scenario = stack_of(stage, share);
    if (stage.quick) scenario.duration = 2.0;
    stand(stage, "stack", what + ": ", scenario);
  };
  stand_with("1000 on 1", [](int i) { return i == 9 ? 1000.0 : 1.0; });
  stand_with("1 on 1000", [](int i) { return i == 0 ? 1000.0 : 1.0; });
  stand_with("1, 1000 in turn", [](int i) { return i % 2 == 0 ? 1.0 : 1000.0; });
  stand(stage, "card_house", "", load("card_house"));
  stand(stage, "arch", "", load("arch"));
  Scenario tower = stage.load("tower");
  if (stage.quick) tower.duration = tower.integrator.step;
  stand(stage, "tower", "", tower);
}

void ball_grids(const Stage& stage) {
  Scenario dropped = ball_grid(stage.load("ball_grid"), 0.0, 42),
           bouncing = ball_grid(stage.load("ball_grid"), 1.0, 42);
  // All ten seconds take minutes: most of the impacts fall into the half second in which the
  // columns of balls break down.
  if (stage.quick) {
    dropped.duration = 0.2;
    bouncing.duration = 0.5;
  }
  double worst = 0.0;
  Simulation run(dropped);
  while (run.step()) worst = std::max(worst, overlap(run.state()));
  stage.at_most("ball_grid", "e = 0: squared depths, m²", worst, 1e-15, "1.1e-6");
  Observer observer;
  double lowest = kInfinity, highest = -kInfinity, deepest = 0.0;
  observer.record = [&](const State& state, const Kinematics&, const EnergyReport& energy) {
    lowest = std::min(lowest, energy.total);
    highest = std::max(highest, energy.total);
    deepest = std::max(deepest, overlap(state));
  };
  Simulation bounce(bouncing, observer);
  bounce.run();
  stage.at_most("ball_grid", "e = 1: energy, relative", (highest - lowest) / highest, 1e-9);
  stage.at_most("ball_grid", "e = 1: squared depths, m²", deepest, 1e-15);
}

}  // namespace pequod::app
