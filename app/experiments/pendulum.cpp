// A point on a rod, let go from level (IFToMM's planar pendulum), beside elliptic functions.
#include <algorithm>
#include <cmath>

#include "app/experiments/experiment.h"

namespace pequod::app {
namespace {

void pendulum(const Stage& stage) {
  const Scenario scenario = stage.load("pendulum");  // examples/mechanisms/pendulum.yaml
  double first = NAN, drift = 0.0;                   // J
  Observer observer;
  observer.record = [&](const State& state, const Kinematics&, const EnergyReport& energy) {
    if (state.t == 0.0) first = energy.total;
    drift = std::max(drift, std::abs(energy.total - first));
  };
  Simulation run(scenario, observer);
  run.run();
  const double angle = run.state().q[0];
  const double x = -0.275087462576117, z = -0.961419205099125;  // m, at 10 s
  // Scene, quantity with its unit, measured, asked, published.
  stage.at_most("pendulum", "place at 10 s, m",
                std::hypot(std::cos(angle) - x, std::sin(angle) - z), 1e-10);
  stage.at_most("pendulum", "energy, J", drift, 1e-10, "5e-5");
  stage.show({"pendulum", {"steps"}, {{static_cast<double>(run.statistics().steps)}}});
}

}  // namespace

extern const Experiment kPendulum{
    "pendulum", "a point on a rod, beside elliptic functions", {pendulum}, "examples/mechanisms"};

}  // namespace pequod::app
