// Robots: stops of joints, and momentum in free flight.
#include <algorithm>
#include <cmath>
#include <vector>

#include "app/experiments/analytic.h"

namespace pequod::app {
namespace {

struct Momentum {
  Vector3d linear = Vector3d::Zero();   // N·s
  Vector3d angular = Vector3d::Zero();  // N·m·s, about the world's origin
};

Momentum momentum(const Model& model, const Kinematics& kin) {
  Momentum sum;
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const LinkKinematics& k = kin.links[i];
    const Vector3d p = k.m * k.v_O + k.w.cross(k.h);
    sum.linear += p;
    sum.angular += k.I * k.w + k.h.cross(k.v_O) + nth(kin.origins, model.links[i].tree).cross(p);
  }
  return sum;
}

double apart(const Momentum& a, const Momentum& b) {
  return std::max((a.linear - b.linear).norm(), (a.angular - b.angular).norm());
}

}  // namespace

void double_pendulum(const Stage& stage) {
  const std::vector<double> errors = halving_errors(stage.load("double_pendulum"), 4);
  stage.at_least("double_pendulum", "order of the state through impacts, 4 halvings",
                 observed_order(errors), 3.7);
}

void struck_robot(const Stage& stage) {
  const Scenario scenario = stage.load("struck_robot");
  Simulation run(scenario);
  const Momentum start = momentum(scenario.model, run.kinematics());
  Momentum before = start;
  double jump = 0.0, drift = 0.0;
  std::int64_t impacts = 0;
  while (run.step()) {
    const Momentum now = momentum(scenario.model, run.kinematics());
    const std::int64_t seen = nth(run.statistics().events, EventKind::impact);
    if (seen > impacts) jump = std::max(jump, apart(now, before));
    impacts = seen;
    drift = std::max(drift, apart(now, start));
    before = now;
  }
  const double scale = start.linear.norm();
  stage.at_most("struck_robot", "momentum across an impact and the step before, relative",
                jump / scale, 1e-12);
  stage.at_most("struck_robot", "momentum over the whole flight, relative", drift / scale, 1e-9);
}

}  // namespace pequod::app
