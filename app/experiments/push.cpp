// A ball on a gantry, driven by proportional and derivative feedback, pushes a box.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/experiments/work_precision.h"

namespace pequod::app {
namespace {

constexpr double kTargetPeriod = 0.01;  // s, targets are held that long
/// s, the feedback is held that long: ours, short beside 2 √(0.1 kg / Kp) at the largest Kp.
constexpr double kFeedbackPeriod = 1e-4;

struct Target {
  double x, z;  // m, joint positions
};

// Down by 50 mm in 0.5 s; from 0.7 s on along x by 0.3 m at 0.3 m/s, with ramps of 0.1 s.
Target target_at(double t) {
  t = kTargetPeriod * std::floor(t / kTargetPeriod + 1e-6);
  const double z = -0.05 * std::min(1.0, t / 0.5), s = std::clamp(t - 0.7, 0.0, 1.1);
  const double x = s < 0.1   ? 1.5 * s * s
                   : s < 1.0 ? 0.3 * (s - 0.05)
                             : 0.3 - 1.5 * (1.1 - s) * (1.1 - s);
  return {x, z};
}

Controller gantry(const Scenario& scenario, double kp) {
  Controller controller;
  controller.name = "gantry";
  controller.entity = static_cast<int>(scenario.model.entities.size()) - 1;
  controller.period = kFeedbackPeriod;
  const int first = static_cast<int>(scenario.initial.v.size()) - 2;
  controller.update = [=](const ControlInput& input, std::span<double>, VectorXd& tau) {
    const Target target = target_at(input.state.t);
    const double kd = 2.0 * std::sqrt(0.1 * kp);
    const auto q = input.state.q.tail<2>(), v = input.state.v.tail<2>();
    tau[first] = kp * (target.x - q[0]) - kd * v[0];
    tau[first + 1] = kp * (target.z - q[1]) - kd * v[1];
  };
  return controller;
}

struct Pushed {
  double lift = 0.0, pitch = 0.0, deepest = 0.0, fastest = 0.0;  // m, rad/s, m, m/s
  double apart = 0.0, end = 0.0;  // m/s between tip and box in the cruise, RMS; m, of the box
};

Pushed push_box(Scenario scenario, double kp) {
  scenario.controllers.push_back(gantry(scenario, kp));
  Pushed was;
  double squares = 0.0, samples = 0.0;
  Observer observer;
  observer.record = [&](const State& state, const Kinematics&, const EnergyReport&) {
    was.lift = std::max(was.lift, std::abs(state.q[2] - 0.05));
    was.pitch = std::max(was.pitch, state.v.head<3>().norm());
    was.fastest = std::max(was.fastest, state.v.lpNorm<Eigen::Infinity>());
    if (state.t < 1.1 || state.t > 1.7) return;
    squares += std::pow(state.v[6] - state.v[3], 2);
    ++samples;
  };
  Simulation run(scenario, observer);
  run.run();
  was.deepest = run.statistics().max_penetration;
  was.apart = std::sqrt(squares / samples);
  was.end = run.state().q[0];
  return was;
}

}  // namespace

void push(const Stage& stage) {
  const Scenario scenario = stage.load("push");
  Table table{"push: steps of the feedback 0.1 ms; published lifts: ICF 0, MuJoCo 2 to 58 mm",
              {"Kp, N/m", "lift, m", "turning, rad/s", "depth, m", "tip to box in the cruise, m/s",
               "end of the box, m", "slow limit, m"},
              {}};
  Pushed worst;
  for (const double kp : {1e2, 1e3, 1e4, 1e5, 1e6}) {
    if (stage.quick && kp != 1e4) continue;
    const Pushed was = push_box(scenario, kp);
    table.rows.push_back(
        {kp, was.lift, was.pitch, was.deepest, was.apart, was.end, 0.28 - 0.5 * kGravity / kp});
    worst.lift = std::max(worst.lift, was.lift);
    worst.pitch = std::max(worst.pitch, was.pitch);
    worst.deepest = std::max(worst.deepest, was.deepest);
    worst.fastest = std::max(worst.fastest, was.fastest);
  }
  stage.show(table);
  stage.at_most("push", "largest velocity, m/s: a run beyond 10 is unstable", worst.fastest, 10.0,
                "unstable of 40: ICF 0, MuJoCo 6");
  stage.at_most("push", "box lifted, m", worst.lift, 1e-9, "0 ICF, 2e-3 to 58e-3 MuJoCo");
  stage.at_most("push", "box turned, rad/s", worst.pitch, 1e-9, "0.02 ICF, 0.7 to 3.4 MuJoCo");
  stage.at_most("push", "depth, any pair, any time, m", worst.deepest, 1e-9,
                "0.25e-3 ICF, 0.6e-3 to 11e-3 MuJoCo");
}

}  // namespace pequod::app
