// Robots and a tower that stand: scenes of SimBenchmark that are judged by speed and by time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "app/experiments/simbenchmark.h"

namespace pequod::app {
namespace {

// s, of this process: the benchmark counts these, so that other work matters less.
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// What became of robots.
struct Stood {
  std::vector<Vector3d> first, half, last;  // m, bases
  double cpu = 0.0;                         // s
  double posture = 0.0;                     // rad, rms off the joints' targets at the end
  double contacts = 0.0;                    // all, at the end
  RunStatistics statistics;

  // m, largest way aside in the last half.
  [[nodiscard]] double crept() const {
    double most = 0.0;
    for (std::size_t i = 0; i < last.size(); ++i)
      most = std::max(most, (last[i] - half[i]).head<2>().norm());
    return most;
  }
};

std::vector<Vector3d> bases(const Model& model, const Kinematics& kin) {
  std::vector<Vector3d> places;
  for (const Entity& entity : model.entities)
    if (entity.robot) places.push_back(nth(kin.links, entity.base_link).X_WL.p);
  return places;
}

double posture_error(const Model& model, const VectorXd& q, const VectorXd& target) {
  double sum = 0.0, count = 0.0;
  for (const Link& link : model.links)
    if (link.joint.type == JointType::revolute) {
      sum += std::pow(q[link.joint.q_index] - target[link.joint.q_index], 2);
      ++count;
    }
  return std::sqrt(sum / count);
}

Stood stand_robots(const Scenario& scenario) {
  Stood stood;
  Observer observer;
  observer.record = [&](const State& state, const Kinematics& kin, const EnergyReport&) {
    stood.last = bases(scenario.model, kin);
    if (stood.first.empty()) stood.first = stood.last;
    if (stood.half.empty() && state.t >= 0.5 * scenario.duration) stood.half = stood.last;
  };
  const double start = cpu_seconds();
  Simulation run(scenario, observer);
  run.run();
  stood.cpu = cpu_seconds() - start;
  stood.contacts = static_cast<double>(run.state().mode.size());
  stood.posture = posture_error(scenario.model, run.state().q, scenario.initial.q);
  stood.statistics = run.statistics();
  return stood;
}

/// How far a tower has moved.
struct Moved {
  double way = 0.0, overlaps = 0.0;  // m: of the block that moved farthest; sum of all depths
};

Moved moved(const Scenario& scenario, const State& state) {
  Moved moved;
  for (Eigen::Index i = 0; i + 7 <= state.q.size(); i += 7)
    moved.way =
        std::max(moved.way, (state.q.segment<3>(i) - scenario.initial.q.segment<3>(i)).norm());
  for (const ContactMode& contact : state.mode) moved.overlaps += std::max(0.0, -contact.gap);
  return moved;
}

// Largest difference of coordinates, velocities and contact forces; infinite if other points touch.
double change(const State& a, const State& b) {
  if (a.mode.size() != b.mode.size()) return kInfinity;
  double most =
      std::max((a.q - b.q).lpNorm<Eigen::Infinity>(), (a.v - b.v).lpNorm<Eigen::Infinity>());
  for (std::size_t i = 0; i < a.mode.size(); ++i)
    most = a.mode[i].key == b.mode[i].key
               ? std::max(most, (a.mode[i].force_W - b.mode[i].force_W).lpNorm<Eigen::Infinity>())
               : kInfinity;
  return most;
}

}  // namespace

void standing_robots(const Stage& stage) {
  Table table{
      "PD: robots that stand, steps of 5 ms; published, of one robot, 1000 steps a s of an "
      "i7-7700HQ: RaiSim 124.2, MuJoCo 29.7, Bullet 14.1, DART 8.8, ODE 2.2",
      {"robots", "simulated, s", "cpu, s", "steps/cpu s, 1000", "base lower by, m",
       "base aside, last half, m", "joints off, rms, rad", "slip, m/s"},
      {}};
  const std::vector<int> all = stage.quick ? std::vector<int>{1, 2} : std::vector<int>{1, 2, 3, 5};
  for (const int n : all) {
    const std::string name = fmt::format("stand_{}", n);
    Scenario scenario = stage.load(name);
    if (stage.quick) scenario.duration = 4.0;
    const Stood stood = stand_robots(scenario);
    const double robots = static_cast<double>(stood.last.size());
    const auto steps = static_cast<double>(stood.statistics.steps);
    table.rows.push_back({robots, scenario.duration, stood.cpu, 1e-3 * steps / stood.cpu,
                          (stood.first.front() - stood.last.front()).z(), stood.crept(),
                          stood.posture, stood.statistics.worst_slip});
    stage.at_most(name, "contacts at the end, off one a foot",
                  std::abs(stood.contacts - 4.0 * robots), 0.0, "one a foot");
    stage.at_most(name, "deepest, any pair, any time, m", stood.statistics.max_penetration, 1e-9);
    stage.at_most(name, "base aside in the last half, m", stood.crept(), 1e-3);
  }
  stage.show(table);
}

// What follows from a state follows from its bits: a tower that has them again stands for ever, so
// that the ten minutes of the benchmark need not be run (35 ms a step).
void kapla_tower(const Stage& stage) {
  Scenario scenario = stage.load("kapla");
  scenario.duration = stage.quick ? 0.03 : 60.0;
  scenario.record.every = stage.quick ? 0.01 : 1.0;
  Table table{"Kapla tower: 102 blocks, steps of 10 ms",
              {"t, s", "farthest moved, m", "sum of depths, m", "cpu, s"},
              {}};
  double fell = NAN;  // s
  State early;        // at the second record
  const double start = cpu_seconds();
  Observer observer;
  observer.record = [&](const State& state, const Kinematics& kin, const EnergyReport&) {
    if (kin.links.back().X_WL.p.z() < 1.0 && std::isnan(fell)) fell = state.t;
    if (early.mode.empty() && state.t > 0.0) early = state;
    const Moved now = moved(scenario, state);
    for (const double t : {0.03, 1.0, 10.0, 60.0})
      if (std::abs(state.t - t) < 1e-9)
        table.rows.push_back({t, now.way, now.overlaps, cpu_seconds() - start});
  };
  Simulation run(scenario, observer);
  run.run();
  stage.show(table);
  const double stood = std::isnan(fell) ? scenario.duration : fell;
  stage.at_least("kapla", "steps until the watched block falls; the run ends there if it stands",
                 std::round(stood / scenario.integrator.step),
                 std::round(scenario.duration / scenario.integrator.step),
                 "RaiSim 60000 (the cap), Bullet 147, ODE 124, MuJoCo 3297 at best, DART 19");
  stage.at_most("kapla",
                fmt::format("positions, velocities and forces of {} contacts: change from the "
                            "second record to the end",
                            early.mode.size()),
                change(early, run.state()), 0.0);
  stage.at_most("kapla", "farthest that a block moved, m", moved(scenario, run.state()).way, 1e-9);
  stage.at_most("kapla", "deepest, any pair, any time, m", run.statistics().max_penetration, 1e-9);
}

}  // namespace pequod::app
