// Balls and cubes that fall into a bin: depth, energy, cost at a measured error, the same bits.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/experiments/chart.h"
#include "app/experiments/work_precision.h"
#include "app/wall_clock.h"

namespace pequod::app {
namespace {

constexpr double kBodyRadius = 0.025, kCubeHalf = 0.025;  // m
constexpr double kFirstWindow = 0.2, kWindow = 0.1;       // s
constexpr int kWindows = 20;

// s, of the reference: the study's, 100 times finer than the largest, and a coarser one.
double truth_step(const Stage& stage) { return stage.quick ? 1e-3 : 1e-4; }

/// What a bin held in the end, and on the way.
struct Bin {
  double study_depth = 0.0;                   // m, largest at the study's samples, below the floor
  double rise = -kInfinity;                   // J, largest of the total energy between two records
  double seconds = 0.0, seconds_later = 0.0;  // of wall time: 0 to 2 s, 0.2 to 2.2 s
  int ejected = 0;
  State state;
  RunStatistics statistics;
};

// m, how far a body is below the floor; a ball has no edges.
double below_floor(const Shape& shape, const Kinematics& kin) {
  const Pose& X = nth(kin.links, shape.link).X_WL;
  const double reach = std::holds_alternative<Sphere>(shape.geometry)
                           ? kBodyRadius
                           : kCubeHalf * X.R.row(2).lpNorm<1>();
  return std::max(0.0, reach - X.p.z());
}

// Whether a centre is outside the bin.
bool ejected(const State& state, Eigen::Index body) {
  const auto p = state.q.segment<3>(7 * body);
  return std::abs(p.x()) > 0.15 || std::abs(p.y()) > 0.15 || p.z() > 0.3;
}

Bin fill_bin(Scenario scenario, const std::string& method, double step) {
  scenario.integrator = {method, step, 0.0};
  scenario.duration = kFirstWindow + 2.0;
  Bin bin;
  double before = kInfinity, early = 0.0;
  const auto start = std::chrono::steady_clock::now();
  Observer observer;
  observer.record = [&](const State& state, const Kinematics& kin, const EnergyReport& energy) {
    bin.rise = std::max(bin.rise, energy.total - before);
    before = energy.total;
    if (std::abs(state.t - kFirstWindow) < 1e-9) early = seconds_since(start);
    if (std::abs(state.t - 2.0) < 1e-9) bin.seconds = seconds_since(start);
    if (state.records % 10 != 0) return;
    for (const Shape& shape : scenario.model.shapes)
      if (shape.link >= 0) bin.study_depth = std::max(bin.study_depth, below_floor(shape, kin));
  };
  Simulation run(scenario, observer);
  run.run();
  bin.seconds_later = seconds_since(start) - early;
  bin.state = run.state();
  bin.statistics = run.statistics();
  for (Eigen::Index i = 0; 7 * i < bin.state.q.size(); ++i) bin.ejected += ejected(bin.state, i);
  return bin;
}

/// States of a run with fine steps, every 0.1 s from 0.2 s on.
struct Reference {
  std::vector<State> states;
  std::vector<char> struck;  // whether a window has an impact
};

Reference run_reference(Scenario scenario, double step) {
  scenario.integrator = {"rk4", step, 0.0};
  scenario.duration = kFirstWindow + kWindow * kWindows;
  Reference reference;
  reference.struck.assign(kWindows, 0);
  Observer observer;
  observer.record = [&](const State& state, const Kinematics&, const EnergyReport&) {
    const double at = (state.t - kFirstWindow) / kWindow;
    if (at > -1e-6 && std::abs(at - std::round(at)) < 1e-6) reference.states.push_back(state);
  };
  observer.events = [&](std::span<const EventRow> rows) {
    for (const EventRow& row : rows) {
      const double at = std::floor((row.t - kFirstWindow) / kWindow);
      if (row.kind == EventKind::impact && at >= 0.0 && at < kWindows)
        nth(reference.struck, at) = 1;
    }
  };
  Simulation(scenario, observer).run();
  return reference;
}

/// Errors of the places after a window that starts where the reference was.
struct WindowErrors {
  double mean = 0.0, largest = 0.0, struck = 0.0, quiet = 0.0;  // m; means but for the largest
  double seconds = 0.0;                                         // a second of simulated time
};

WindowErrors run_windows(Scenario scenario, const Reference& reference, const std::string& method,
                         double step) {
  scenario.integrator = {method, step, 0.0};
  WindowErrors errors;
  double struck = 0.0;
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i + 1 < reference.states.size(); ++i) {
    scenario.duration = reference.states[i + 1].t;
    Simulation run(scenario, reference.states[i], {}, {});
    run.run();
    double error = 0.0;
    for (Eigen::Index k = 0; k < run.state().q.size(); k += 7)
      error = std::max(
          error, (run.state().q.segment<3>(k) - reference.states[i + 1].q.segment<3>(k)).norm());
    const bool had_impact = reference.struck[i] != 0;
    struck += had_impact;
    (had_impact ? errors.struck : errors.quiet) += error;
    errors.mean += error / kWindows;
    errors.largest = std::max(errors.largest, error);
  }
  errors.seconds = seconds_since(start) / (kWindow * kWindows);
  errors.struck /= std::max(1.0, struck);
  errors.quiet /= std::max(1.0, kWindows - struck);
  return errors;
}

std::vector<Cell> row_of(const std::string& scene, const std::string& method, double step,
                         const Bin& bin) {
  const RunStatistics& s = bin.statistics;
  double events = 0.0;
  for (const std::int64_t count : s.events) events += static_cast<double>(count);
  return {scene,
          method,
          step,
          bin.seconds,
          bin.seconds_later,
          static_cast<double>(s.steps),
          events,
          static_cast<double>(s.fallbacks),
          bin.study_depth,
          s.max_penetration,
          bin.rise};
}

const Table kBins{
    "clutter: published wall time of the first scene, 0.2 to 2.2 s: Drake's CENIC 0.087 s",
    {"scene", "method", "step, s", "0-2 s, s", "0.2-2.2 s, s", "steps", "events", "fallbacks",
     "study's depth, m", "depth, any pair, m", "energy rise, J"},
    {}};

void check_bin(const Stage& stage, const std::string& scene, const Bin& bin, double energy) {
  stage.at_most(scene, "depth, any pair, any time, m", bin.statistics.max_penetration, 1e-9,
                "largest of samples, floor alone: 0.63e-3 ICF, 0.72e-3 MuJoCo");
  stage.at_most(scene, "energy: largest rise between two records, of that at the start",
                bin.rise / energy, 1e-12);
  stage.at_most(scene, "bodies outside the bin", bin.ejected, 0.0, "0");
}

// Rows of windows with these steps, and the curve of their cost over their error.
Curve add_windows(const Scenario& scenario, const Reference& reference, const std::string& method,
                  double least, Table& table) {
  Curve curve{method, {}};
  for (const double step : {1e-3, 2e-3, 5e-3, 1e-2}) {
    if (step <= least) continue;
    const WindowErrors e = run_windows(scenario, reference, method, step);
    table.rows.push_back({method, step, e.mean, e.largest, e.struck, e.quiet, e.seconds});
    curve.points.emplace_back(e.mean, e.seconds);
  }
  return curve;
}

// Of log cost in log error.
double slope(const Curve& curve) {
  const auto& [e0, c0] = curve.points.front();
  const auto& [e1, c1] = curve.points.back();
  return std::log(c1 / c0) / std::log(e1 / e0);
}

void compare_windows(const Stage& stage, const std::string& scene, const std::string& published) {
  const Scenario scenario = stage.load(scene);
  const Reference reference = run_reference(scenario, truth_step(stage));
  Table table{
      scene + ": places off after windows of 0.1 s, m; published " + published,
      {"method", "step, s", "mean", "largest", "with impacts", "without", "wall s a second"},
      {}};
  const Curve events = add_windows(scenario, reference, "rk4", truth_step(stage), table);
  const Curve impulses =
      add_windows(scenario, reference, "symplectic-euler", truth_step(stage), table);
  const WindowErrors floor = run_windows(scenario, reference, "rk4", truth_step(stage));
  stage.show(table);
  if (!stage.quick)
    stage.show({scene + ": slope of log cost in log error",
                {"symplectic-euler", "published"},
                {{slope(impulses), "-0.5"}}});
  stage.at_most(scene, "windows started from the reference, its steps: off, m", floor.largest, 0.0,
                "0.4e-6 to 1.8e-3");
  stage.at_most(scene, "mean of the windows, RK4, steps of 10 ms, m", events.points.back().first,
                1e-6, published);
  stage.draw(chart_svg({scene + ": cost and error of windows of 0.1 s",
                        "mean error, m",
                        "wall time a simulated second, s",
                        true,
                        {events, impulses},
                        true}));
}

}  // namespace

void clutter(const Stage& stage) {
  Table table = kBins;
  const auto add = [&](const std::string& scene, const std::string& method, double step) {
    Bin bin = fill_bin(stage.load(scene), method, step);
    table.rows.push_back(row_of(scene, method, step, bin));
    return bin;
  };
  const Bin eight = add("clutter_hard", "rk4", 0.01), again = add("clutter_hard", "rk4", 0.01);
  add("clutter_hard", "symplectic-euler", 0.01);
  if (!stage.quick) {
    for (const double step : {2e-3, 1e-3}) add("clutter_hard", "rk4", step);
    for (const char* scene : {"clutter_20_hard", "clutter_20_soft"})
      for (const char* method : {"rk4", "symplectic-euler"})
        stage.at_most(scene, fmt::format("{}: depth, any pair, any time, m", method),
                      add(scene, method, 0.01).statistics.max_penetration, 1e-9);
  }
  stage.show(table);
  check_bin(stage, "clutter_hard", eight, 1.205489);
  stage.at_most("clutter_hard", "two runs apart, any coordinate",
                (again.state.q - eight.state.q).lpNorm<Eigen::Infinity>() +
                    (again.state.v - eight.state.v).lpNorm<Eigen::Infinity>(),
                0.0, "76e-3 to 150e-3 m");
  compare_windows(stage, "clutter_hard", "1.0e-3 to 21e-3 m (hard)");
  if (!stage.quick) compare_windows(stage, "clutter_20_soft", "79e-6 to 5.2e-3 m (soft)");
}

}  // namespace pequod::app
