// The scenes of a public study of the cost of precision (2026), whose compliant simulators are
// MuJoCo, ICF and Drake's CENIC: those with one or two bodies.
#include "app/experiments/work_precision.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pequod::app {
namespace {

// An error of its last figure in an answer of 15 digits.
constexpr double kFifteenDigits = 1e-14;

void rest(const Stage& stage) {
  Scenario scenario = stage.load("rest");
  const double radius = 0.025, weight = scenario.model.links[0].inertia.mass * kGravity;
  const double fall = std::sqrt(2.0 * (scenario.initial.q[2] - radius) / kGravity);
  double deepest = 0.0, time = 0.0, force = 0.0;
  for (const double step : {1e-2, 5e-3, 2e-3, 1e-3, 5e-4}) {
    scenario.integrator.step = step;
    const Trace trace = simulate(scenario);
    deepest =
        std::max({deepest, trace.statistics.max_penetration, std::abs(trace.state.q[2] - radius)});
    time = std::max(time, std::abs(trace.events.front().t - fall));
    force = std::max(force, std::abs(trace.state.mode.front().force_W.z() - weight));
  }
  stage.show({"rest: depth over m g/k at k 1e5 N/m, 6.42 µm; ours has no k",
              {"step, ms", "ICF", "MuJoCo, reference format", "MuJoCo, direct"},
              {{10.0, 1.0, 57.19, "launched"},
               {5.0, 1.0, 16.78, "launched"},
               {2.0, 1.0, 2.723, 0.9997},
               {1.0, 1.0, 0.981, 0.9994},
               {0.5, 1.0, 0.981, 1.0}}});
  stage.at_most("rest", "depth or height, steps of 0.5 to 10 ms, m", deepest, 1e-9,
                "6.4e-6 ICF, 367e-6 MuJoCo at 10 ms");
  stage.at_most("rest", "time of the impact, off, s", time, 1e-12);
  stage.at_most("rest", "force on the ball off its weight, N", force, 1e-12);
}

void elastic_ball(const Stage& stage) {
  Scenario scenario = stage.load("ball");
  const double radius = 0.05, first = std::sqrt(2.0 / kGravity);
  const double height = 0.978321975404438, speed = -0.652167802459556;  // m, m/s, at 10 s
  double energy = 0.0, times = 0.0, end = 0.0, count = 0.0;
  Observer observer;
  observer.record = [&](const State&, const Kinematics&, const EnergyReport& now) {
    // Potential energy is counted from z = 0, the study's from where the ball lies.
    energy = std::max(energy, std::abs(now.total - 0.1 * kGravity * radius - 0.981) / 0.981);
  };
  int impacts = 0;
  observer.events = [&](std::span<const EventRow> rows) {
    for (const EventRow& row : rows)
      times = std::max(times, std::abs(row.t - (2.0 * impacts++ + 1.0) * first));
  };
  for (const double step : {1e-2, 1e-3, 1e-4}) {
    impacts = 0;
    scenario.integrator.step = step;
    Simulation run(scenario, observer);
    run.run();
    count = std::max(count, std::abs(impacts - 11.0));
    end = std::max(
        {end, std::abs(run.state().q[2] - radius - height), std::abs(run.state().v[5] - speed)});
  }
  stage.show({"ball: energy at the last apex, %, and rebounds",
              {"step", "ICF", "MuJoCo"},
              {{"10 ms", "-100.1 (2)", "-7.08 (10)"},
               {"1 ms", "-100.1 (11)", "-0.02 (10)"},
               {"0.1 ms", "-29.98 (12)", "0.00 (10)"},
               {"eps 1e-3", "-100.1 (5)", "+57.3 (9)"}}});
  stage.at_most("ball", "energy at any time, steps of 0.1 to 10 ms, relative", energy, 1e-12,
                "2e-5 MuJoCo at 0.1 ms");
  stage.at_most("ball", "impacts, off 11", count, 0.0, "2 to 12 ICF, 10 MuJoCo");
  stage.at_most("ball", "times of impacts, off, s", times, 1e-12);
  stage.at_most("ball", "height and speed at 10 s, off, m, m/s", end, 1e-11, "1e-4 Drake asks");
}

void momentum(const Stage& stage) {
  double drift = 0.0, speeds = 0.0, time = 0.0;
  for (const double e : {0.0, 1.0})
    for (const double step : {1e-2, 1e-3}) {
      Scenario scenario = stage.load("balls");
      scenario.integrator.step = step;
      for (Surface& surface : scenario.model.surfaces) surface.restitution = e;
      const Trace trace = simulate(scenario);
      const double left = trace.state.v[3], right = trace.state.v[9];
      drift = std::max(drift, std::abs(left + right - 0.5) / 0.5);
      speeds = std::max({speeds, std::abs(left - (e == 0.0 ? 0.25 : -0.5)),
                         std::abs(right - (e == 0.0 ? 0.25 : 1.0))});
      time = std::max(time, std::abs(trace.events.front().t - 0.1));
    }
  stage.at_most("balls", "momentum, relative", drift, 1e-15, "0 to 1.1e-7 ICF, 4.6e-7 MuJoCo");
  stage.at_most("balls", "speeds after it, e 0 and 1, off, m/s", speeds, kFifteenDigits);
  stage.at_most("balls", "time of the impact, off, s", time, kFifteenDigits);
}

}  // namespace

extern const Experiment kWorkPrecision{"work-precision",
                                       "scenes of a public study of cost at a measured error",
                                       {rest, elastic_ball, momentum, push, clutter},
                                       "examples/work-precision"};

}  // namespace pequod::app
