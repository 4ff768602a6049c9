// Bodies that roll on a rim or a side without slip.
#include <array>
#include <cmath>

#include "app/experiments/analytic.h"

namespace pequod::app {
namespace {

/// θ, θ', u and w of a thin disk that rolls: examples/analytic/euler_disk.yaml has the equations.
using Disk = Eigen::Vector4d;

Disk disk_rates(const Disk& y, double g_over_r) {
  const double s = std::sin(y[0]), c = std::cos(y[0]), fall = y[1], u = y[2], w = y[3];
  return {fall, (0.25 * u * u * c / s - 1.5 * u * w - g_over_r * c) / 1.25,
          -u * c / s * fall + 2.0 * w * fall, 2.0 / 3.0 * u * fall};
}

Disk disk_after(Disk y, double t, double g_over_r, int steps) {
  const double h = t / steps;
  for (int i = 0; i < steps; ++i) {
    const Disk k1 = disk_rates(y, g_over_r), k2 = disk_rates(y + 0.5 * h * k1, g_over_r);
    const Disk k3 = disk_rates(y + 0.5 * h * k2, g_over_r), k4 = disk_rates(y + h * k3, g_over_r);
    y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return y;
}

double inclination(const State& state) {
  // The angle of the axis from the vertical; of its sine, which is exact where the disk lies flat.
  const Quaterniond q(state.q[3], state.q[4], state.q[5], state.q[6]);
  const Vector3d axis = q * Vector3d::UnitZ();
  return std::atan2(axis.head<2>().norm(), axis.z());
}

}  // namespace

void spinning_disk(const Stage& stage) {
  const Scenario scenario = stage.load("euler_disk");
  const double g_over_r = scenario.model.gravity.norm() / 0.1;
  const Disk start(inclination(scenario.initial), 0.0, scenario.initial.v.head<3>().norm(), 0.0);
  double lowest = kInfinity, worst = 0.0;
  Observer observer;
  Disk truth = start;
  double t = 0.0;
  observer.record = [&](const State& state, const Kinematics&, const EnergyReport&) {
    if (state.t > t) truth = disk_after(truth, state.t - t, g_over_r, 100);
    t = state.t;
    lowest = std::min(lowest, inclination(state));
    worst = std::max(worst, std::abs(inclination(state) - truth[0]));
  };
  Simulation run(scenario, observer);
  run.run();
  const double degrees = lowest * 180.0 / std::acos(-1.0);
  stage.at_most("euler_disk", "lowest inclination reached, °", degrees, 6.0);
  stage.at_most("euler_disk", "inclination all the way, rad", worst, 1e-9);
  const double energy = run.statistics().energy_residual_max;
  stage.at_most("euler_disk", "energy, J of 0.9", energy, 1e-9);
}

void rolling_cone(const Stage& stage) {
  const Scenario scenario = stage.load("rolling_cone");
  const Trace trace = simulate(scenario);
  const Vector3d start = scenario.initial.q.head<3>();
  const double w = scenario.initial.v.head<3>().norm();
  const double turn = w * start.z() / start.head<2>().norm() * scenario.duration;
  // v = ω × p with ω along x and the tip at the origin: clockwise for p on the −x side.
  const double sense = scenario.initial.v[4] * start.x() > 0.0 ? 1.0 : -1.0;
  const Vector3d truth = Eigen::AngleAxisd(sense * turn, Vector3d::UnitZ()) * start;
  stage.at_most("rolling_cone", "way of the centre of mass, m",
                (trace.state.q.head<3>() - truth).norm(), 1e-9);
  stage.at_most("rolling_cone", "energy, J", trace.statistics.energy_residual_max, 1e-9);
}

}  // namespace pequod::app
