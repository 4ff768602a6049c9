// Scenes of a public benchmark, SimBenchmark, beside the best errors it publishes.
#include "app/experiments/simbenchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "app/experiments/ball_grid.h"
#include "app/wall_clock.h"

namespace pequod::app {
namespace {

/// The best published error at a step, and whose.
struct Best {
  double step, error;  // s; unit of the error as the scene has it
  const char* whose;
};

/// A scene as the benchmark judges it.
struct Judged {
  std::string name, unit;
  std::vector<Best> best;
  double scale = 0.0;  ///< an error of 1e-26 of this is rounding; 0: the truth is zero
  double from = 0.0;   ///< s, of the samples
  /// Squared error of a sample.
  std::function<double(const State&, const Kinematics&, const EnergyReport&)> error;
};

struct Measured {
  double error = NAN, seconds = NAN;
};

// Mean over the samples before each step, as the benchmark takes them.
Measured measure(Scenario scenario, const Judged& judged, double step) {
  scenario.integrator.step = scenario.record.every = step;
  const double end = scenario.duration - 0.5 * step;
  double sum = 0.0, count = 0.0;
  Observer observer;
  observer.record = [&](const State& state, const Kinematics& kin, const EnergyReport& energy) {
    if (state.t < judged.from - 0.5 * step || state.t > end) return;
    sum += judged.error(state, kin, energy);
    ++count;
  };
  const auto start = std::chrono::steady_clock::now();
  Simulation(scenario, observer).run();
  return {sum / count, seconds_since(start)};
}

// At each step ours beside the best; dopri5 chooses steps within the benchmark's by itself.
void compare_steps(const Stage& stage, const Scenario& scenario, const Judged& judged) {
  Table table{fmt::format("{}: mean squared error, {}; {:g} s simulated", judged.name, judged.unit,
                          scenario.duration),
              {"step, s", "ours", "s", "steps/s, 1000", "best published", "whose"},
              {}};
  for (const Best& best : judged.best) {
    const Measured was = measure(scenario, judged, best.step);
    const double steps = scenario.duration / best.step;
    table.rows.push_back(
        {best.step, was.error, was.seconds, 1e-3 * steps / was.seconds, best.error, best.whose});
    stage.at_most(judged.name,
                  fmt::format("{}, step {:g} s: error, {}", scenario.integrator.method, best.step,
                              judged.unit),
                  was.error, std::max(best.error, 1e-26 * judged.scale),
                  fmt::format("{:g}, {}", best.error, best.whose));
  }
  stage.show(table);
}

// Those of the list that are worth their time: small steps take minutes.
std::vector<Best> from_step(const std::vector<Best>& all, double least) {
  std::vector<Best> some;
  for (const Best& best : all)
    if (best.step >= 0.999 * least) some.push_back(best);
  return some;
}

Vector3d linear_momentum(const Kinematics& kin) {
  Vector3d sum = Vector3d::Zero();
  for (const LinkKinematics& k : kin.links) sum += k.m * k.v_O + k.w.cross(k.h);
  return sum;
}

void rolling_balls(const Stage& stage) {
  Scenario scenario = stage.load("rolling");
  if (stage.quick) scenario.duration = 0.02;
  const double friction = 0.4 * 35.0 * kGravity, ball = (150.0 - friction) / 60.0;
  for (const bool along_y : {true, false}) {
    const double angle = along_y ? 0.5 * std::numbers::pi : std::numbers::pi / 3.0;
    const Vector3d d(along_y ? 0.0 : std::cos(angle), std::sin(angle), 0.0);
    scenario.forces.front().force = 150.0 * d;
    Judged judged{along_y ? "rolling y" : "rolling xy",
                  "m²/s²",
                  {{1e-3, along_y ? 7.3e-28 : 3.9e-27, "Bullet"}},
                  3.145,
                  0.0,
                  [=](const State& state, const Kinematics&, const EnergyReport&) {
                    const Vector3d box = state.v.segment<3>(3), first = state.v.segment<3>(9);
                    return (box - 3.5 * ball * state.t * d).squaredNorm() +
                           (first - ball * state.t * d).squaredNorm();
                  }};
    compare_steps(stage, scenario, judged);
  }
}

void bouncing_balls(const Stage& stage) {
  Scenario scenario = stage.load("bouncing");
  if (stage.quick) scenario.duration = 4.0;
  const double start = 49.0 * 10.0 * kGravity * 5.0;
  Judged judged{"bouncing",
                "J²",
                {{1e-1, 1.8e6, "RaiSim"},
                 {4e-2, 4.7e4, "RaiSim"},
                 {1e-2, 186.0, "RaiSim"},
                 {4e-3, 4.8, "RaiSim"},
                 {1e-3, 1.9e-2, "RaiSim"},
                 {4e-4, 4.8e-4, "RaiSim"},
                 {1e-4, 1.9e-6, "RaiSim"},
                 {1e-5, 1.9e-10, "RaiSim"}},
                start * start,
                0.0,
                [=](const State&, const Kinematics&, const EnergyReport& energy) {
                  return std::pow(energy.total - start, 2);
                }};
  if (stage.quick) judged.best = from_step(judged.best, 1e-2);
  compare_steps(stage, scenario, judged);
}

void grids(const Stage& stage) {
  const Scenario grid = stage.load("../analytic/ball_grid");
  Scenario dropped = ball_grid(grid, 0.0, 42), elastic = ball_grid(grid, 1.0, 42);
  if (stage.quick) {
    dropped.duration = 0.15;
    elastic.duration = 0.48;
  }
  Judged judged{
      "666",
      "m²",
      {{1e-1, 0.96, "RaiSim"},
       {4e-2, 0.24, "ODE"},
       {1e-2, 1.5e-2, "RaiSim"},
       {4e-3, 2.1e-3, "ODE"},
       {1e-3, 1.4e-4, "RaiSim"},
       {4e-4, 2.4e-5, "RaiSim"},
       {1e-4, 2.0e-7, "DART"}},
      0.0,
      0.0,
      [](const State& state, const Kinematics&, const EnergyReport&) { return overlap(state); }};
  if (stage.quick) judged.best = {judged.best[2]};
  compare_steps(stage, dropped, judged);
  judged.name = "666 elastic";
  judged.unit = "J²";
  judged.best = {{1e-1, 1.9e7, "ODE"},    {4e-2, 1.1e6, "ODE"},  {1e-2, 5.2e6, "RaiSim"},
                 {4e-3, 264.0, "RaiSim"}, {1e-3, 8.4, "RaiSim"}, {4e-4, 0.25, "RaiSim"},
                 {1e-4, 1.1e-3, "RaiSim"}};
  if (stage.quick) judged.best = {judged.best[1]};
  double first = NAN;
  judged.error = [&](const State& state, const Kinematics&, const EnergyReport& energy) {
    if (state.t == 0.0) first = energy.total;
    return std::pow(energy.total - first, 2);
  };
  judged.scale = std::pow(34.47e3, 2);
  compare_steps(stage, elastic, judged);
}

// Ours by both integrators: with steps of the benchmark, and chosen by the error within them.
void by_both(const Stage& stage, Scenario scenario, Judged judged) {
  Table table{fmt::format("{}, steps as given: mean squared error, {}", judged.name, judged.unit),
              {"step, s", "rk4", "s"},
              {}};
  for (const Best& best : judged.best) {
    const Measured was = measure(scenario, judged, best.step);
    table.rows.push_back({best.step, was.error, was.seconds});
  }
  stage.show(table);
  scenario.integrator.method = "dopri5";
  scenario.integrator.tolerance = 1e-13;
  compare_steps(stage, scenario, judged);
}

void robot(const Stage& stage) {
  Scenario scenario = stage.load("momentum");
  const double least = stage.quick ? 1e-2 : 1e-5;
  // The benchmark's own numbers of its robot, from the joints' places and masses.
  Simulation start(scenario);
  double mass = 0.0;
  for (std::size_t i = 1; i < scenario.model.links.size(); ++i)
    mass += start.kinematics().links[i].m;
  stage.at_most("beth.urdf", "mass off 33.9467 kg, kg", std::abs(mass - 33.9467), 5e-5);
  if (stage.quick) scenario.duration = 1.5;
  by_both(stage, scenario,
          {"momentum", "(kg m/s)²",
           from_step({{1e-2, 4.0e-28, "ODE"},
                      {4e-3, 5.4e-28, "ODE"},
                      {1e-3, 1.3e-27, "ODE"},
                      {4e-4, 1.3e-26, "ODE"},
                      {1e-4, 5.8e-26, "ODE"},
                      {1e-5, 1.6e-25, "ODE"}},
                     least),
           2500.0, 0.0, [](const State&, const Kinematics& kin, const EnergyReport&) {
             return (linear_momentum(kin) - Vector3d(0.0, 50.0, 0.0)).squaredNorm();
           }});
  Scenario flight = stage.load("energy");
  double first = NAN;
  by_both(stage, flight,
          {"energy", "J²",
           from_step({{1e-2, 5.6e-11, "MuJoCo RK4"},
                      {4e-3, 4.5e-14, "MuJoCo RK4"},
                      {1e-3, 1.6e-17, "MuJoCo RK4"},
                      {4e-4, 3.6e-19, "MuJoCo RK4"},
                      {1e-4, 1.6e-21, "MuJoCo RK4"},
                      {1e-5, 2.9e-21, "MuJoCo RK4"}},
                     least),
           3910.0 * 3910.0, 1.0,
           [&](const State& state, const Kinematics&, const EnergyReport& energy) {
             if (state.t < 1.0 + 1e-9) first = energy.total;
             return std::pow(energy.total - first, 2);
           }});
}

}  // namespace

extern const Experiment kSimbenchmark{
    "simbenchmark",
    "the scenes of a public benchmark beside its best errors",
    {rolling_balls, bouncing_balls, grids, robot, standing_robots, kapla_tower},
    "examples/simbenchmark"};

}  // namespace pequod::app
