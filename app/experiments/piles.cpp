// Bodies on bodies that stand, and balls that fall among each other.
#include <algorithm>
#include <cmath>
#include <random>

#include "app/experiments/experiment.h"

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

// Squared depths of all pairs of balls and of balls in the ground, m².
double overlap(const State& state, double radius) {
  double sum = 0.0;
  const auto square = [](double depth) { return depth > 0.0 ? depth * depth : 0.0; };
  for (Eigen::Index i = 0; i < state.q.size(); i += 7) {
    sum += square(radius - state.q[i + 2]);
    for (Eigen::Index j = 0; j < i; j += 7)
      sum += square(2.0 * radius - (state.q.segment<3>(i) - state.q.segment<3>(j)).norm());
  }
  return sum;
}

constexpr int kSide = 6;           // balls along an edge of the grid
constexpr double kPitch = 0.21;    // m
constexpr double kJitter = 0.001;  // m, each coordinate
constexpr double kRadius = 0.1;    // m

// As the public benchmark lays them: i, j, k with k innermost, drawn in the order x, y, z.
Scenario ball_grid(const Stage& stage, double restitution, double height, unsigned seed) {
  Scenario scenario = stage.load("ball_grid");
  for (Surface& surface : scenario.model.surfaces) surface.restitution = restitution;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> jitter(0.0, kJitter);
  for (Eigen::Index n = 0; n < scenario.initial.q.size() / 7; ++n) {
    const Eigen::Index i = n / (kSide * kSide), j = n / kSide % kSide, k = n % kSide;
    double* p = scenario.initial.q.data() + 7 * n;
    p[0] = kPitch * static_cast<double>(i) + jitter(random);
    p[1] = kPitch * static_cast<double>(j) + jitter(random);
    p[2] = kPitch * static_cast<double>(k) + jitter(random) + height;
  }
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
  Scenario dropped = ball_grid(stage, 0.0, 0.101, 42), bouncing = ball_grid(stage, 1.0, 1.101, 42);
  // All ten seconds take minutes: most of the impacts fall into the half second in which the
  // columns of balls break down.
  if (stage.quick) {
    dropped.duration = 0.2;
    bouncing.duration = 0.5;
  }
  double worst = 0.0;
  Simulation run(dropped);
  while (run.step()) worst = std::max(worst, overlap(run.state(), kRadius));
  stage.at_most("ball_grid", "e = 0: squared depths, m²", worst, 1e-15, "1.1e-6");
  Observer observer;
  double lowest = kInfinity, highest = -kInfinity, deepest = 0.0;
  observer.record = [&](const State& state, const Kinematics&, const EnergyReport& energy) {
    lowest = std::min(lowest, energy.total);
    highest = std::max(highest, energy.total);
    deepest = std::max(deepest, overlap(state, kRadius));
  };
  Simulation bounce(bouncing, observer);
  bounce.run();
  stage.at_most("ball_grid", "e = 1: energy, relative", (highest - lowest) / highest, 1e-9);
  stage.at_most("ball_grid", "e = 1: squared depths, m²", deepest, 1e-15);
}

}  // namespace pequod::app
