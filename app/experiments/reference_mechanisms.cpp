// Mechanisms of public collections, beside references computed from their one freedom.
#include "app/experiments/reference_mechanisms.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>

#include "app/wall_clock.h"

namespace pequod::app {
namespace {

struct Timed {
  std::vector<State> records;
  double energy = 0.0;  // J, largest change
  double seconds = 0.0;
  std::int64_t steps = 0;
};

Timed run_timed(Scenario scenario, double every) {
  Timed timed;
  scenario.record.every = every;
  double first = NAN;
  Observer observer;
  observer.record = [&](const State& state, const Kinematics&, const EnergyReport& energy) {
    timed.records.push_back(state);
    if (state.t == 0.0) first = energy.total;
    timed.energy = std::max(timed.energy, std::abs(energy.total - first));
  };
  const auto start = std::chrono::steady_clock::now();
  Simulation run(scenario, observer);
  run.run();
  timed.seconds = seconds_since(start);
  timed.steps = run.statistics().steps;
  return timed;
}

// Redundant: the rows of two revolute loops in a plane, and all of them where the bars lie in line.
void double_four_bar(const Stage& stage) {
  const Timed run = run_timed(stage.load("double_four_bar"), 0.1);
  const VectorXd& q = run.records.back().q;
  const Vector3d tip(std::cos(q[0]), 0.0, std::sin(q[0]));
  stage.at_most("double_four_bar", "tip of bar 1 at 10 s, m",
                (tip - Vector3d(0.328458111540815, 0.0, 0.944518538178601)).norm(), 1e-10,
                "7.8e-7");
  stage.at_most("double_four_bar", "energy, J", run.energy, 1e-8, "1.8e-5");
  double open = 0.0;
  for (const State& state : run.records) {
    const double a = state.q[0], b = a + state.q[1], c = state.q[2], d = c + state.q[3],
                 e = state.q[4];
    open = std::max({open,
                     std::hypot(std::cos(a) + std::cos(b) - 1.0 - std::cos(c),
                                std::sin(a) + std::sin(b) - std::sin(c)),
                     std::hypot(std::cos(c) + std::cos(d) - 1.0 - std::cos(e),
                                std::sin(c) + std::sin(d) - std::sin(e))});
  }
  stage.at_most("double_four_bar", "loops open, m", open, 1e-12);
}

// (x, θ) at 1, 5 and 10 s.
void cart_pole(const Stage& stage) {
  constexpr std::array<std::array<double, 3>, 3> kTruth{
      {{1.0, 1.99893462497496701, -1.52467551575867700},
       {5.0, 0.486732086555411933, 0.538987649710351203},
       {10.0, 1.99976328246872765, -1.54912944189482817}}};
  Table table{"cart-pole: largest error of (x, θ) at 1, 5 and 10 s",
              {"tolerance", "error", "energy, J", "steps", "s"},
              {}};
  Scenario scenario = stage.load("cart_pole");
  double best = kInfinity;
  for (const double tolerance : {1e-9, 1e-11, 1e-13}) {
    scenario.integrator.tolerance = tolerance;
    const Timed run = run_timed(scenario, 1.0);
    double error = 0.0;
    for (const auto& [t, x, angle] : kTruth) {
      const VectorXd& q = nth(run.records, t).q;
      error = std::max(error, std::hypot(q[0] - x, q[1] - angle));
    }
    table.rows.push_back(
        {tolerance, error, run.energy, static_cast<double>(run.steps), run.seconds});
    best = std::min(best, error);
  }
  stage.show(table);
  stage.at_most("cart_pole", "error of (x, θ), m and rad, best tolerance", best, 1e-9, "9.1e-12");
}

}  // namespace

extern const Experiment kMechanisms{
    "mechanisms",
    "redundant four-bars, a light cart-pole and a governor with stiff springs",
    {double_four_bar, cart_pole, flyball},
    "examples/mechanisms"};

}  // namespace pequod::app
