#include "app/summary.h"

#include <fmt/format.h>

#include <Eigen/Core>
#include <cmath>

#include "app/json_number.h"
#include "simulation/loop/step_grid.h"

namespace pequod::app {
namespace {

using OrderedJson = nlohmann::ordered_json;

// s, of all sessions.
double simulated_time(const Scenario& scenario, const State& state) {
  return state.t - scenario.initial.t;
}

double ratio(double a, double b) { return b > 0.0 ? a / b : 0.0; }

double pivots_mean(const RunStatistics& statistics) {
  return ratio(static_cast<double>(statistics.pivots), static_cast<double>(statistics.solves));
}

OrderedJson versions() {
  return {{"pequod", version()},
          {"compiler", __VERSION__},
          {"eigen",
           fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)}};
}

OrderedJson events_by_kind(const RunStatistics& statistics) {
  OrderedJson events = OrderedJson::object();
  for (int kind = 0; kind < kEventKinds; ++kind)
    events[std::string(event_name(static_cast<EventKind>(kind)))] = nth(statistics.events, kind);
  return events;
}

OrderedJson worst_unsolved(const RunStatistics& statistics) {
  if (statistics.unsolved == 0) return nullptr;
  const UnsolvedProblem& worst = statistics.worst_unsolved;
  return {{"residual", json_number(worst.residual)},
          {"contacts", worst.contacts},
          {"t", json_number(worst.t)}};
}

void add_source(OrderedJson& json, const SceneSource& source, const Scenario& scenario) {
  json["name"] = scenario.name;
  json["scene"] = std::filesystem::absolute(source.scene).lexically_normal().string();
  OrderedJson overrides = OrderedJson::object(), packages = OrderedJson::array();
  for (const auto& [key, value] : source.options.overrides) overrides[key] = value;
  for (const auto& folder : source.options.package_paths)
    packages.push_back(std::filesystem::absolute(folder).string());
  json["overrides"] = overrides;
  json["package_paths"] = packages;
  json["integrator"] = scenario.integrator.method;
  json["model"] = scenario.contact.model;
  json["solver"] = scenario.contact.solver;
  json["restitution"] = scenario.contact.restitution;
  json["scheme"] = scenario.contact.scheme;
  json["step"] = scenario.integrator.step;
  json["effective_step"] = json_number(step_grid(scenario).mean);
  json["tolerance"] = scenario.integrator.tolerance;
  json["start"] = scenario.initial.t;
  json["duration"] = scenario.duration;
  json["gravity"] = {scenario.model.gravity.x(), scenario.model.gravity.y(),
                     scenario.model.gravity.z()};
}

// time: s, simulated
std::string walked(const RunReport& report, double time) {
  std::string text;
  const State& state = report.checkpoint.state;
  for (const Walker& walker : report.walkers) {
    const double distance = distance_walked(walker, state);
    text += fmt::format("  {} walked {:.3f} m in {:g} s ({:.3g} m/s)", walker.name, distance, time,
                        ratio(distance, time));
    text += walker.fell_at ? fmt::format("; it fell at {:.2f} s\n", *walker.fell_at) : "\n";
  }
  return text;
}

OrderedJson robots(const RunReport& report) {
  OrderedJson list = OrderedJson::array();
  for (const Walker& walker : report.walkers)
    list.push_back({{"name", walker.name},
                    {"walked_m", json_number(distance_walked(walker, report.checkpoint.state))},
                    {"fell_at_s", walker.fell_at ? OrderedJson(*walker.fell_at) : OrderedJson()}});
  return list;
}

OrderedJson inputs(const RunReport& report) {
  OrderedJson hashes = OrderedJson::object();
  for (const InputPart& part : report.inputs) hashes[part.name] = fmt::format("{:016x}", part.hash);
  return hashes;
}

}  // namespace

std::string_view status_name(RunStatus status) {
  switch (status) {
    case RunStatus::running:
      return "running";
    case RunStatus::finished:
      return "finished";
    case RunStatus::interrupted:
      return "interrupted";
    case RunStatus::failed:
      break;
  }
  return "failed";
}

namespace {

// What physics does not explain of a run: losses, and steps whose forces are not those that moved
// the bodies.
std::string suspect_text(const RunReport& report) {
  const Checkpoint& last = report.checkpoint;
  const RunStatistics& statistics = last.statistics;
  const std::int64_t count = nth(statistics.events, EventKind::suspect);
  std::string text;
  if (count > 0)
    text += fmt::format(", {} suspect {} ({:.3g} J)", count, count == 1 ? "loss" : "losses",
                        last.state.ledger.suspect);
  if (statistics.unbalanced > 0)
    text += fmt::format(", {} {} whose forces are off by up to {:.2g} of themselves",
                        statistics.unbalanced, statistics.unbalanced == 1 ? "step" : "steps",
                        statistics.worst_newton);
  return text;
}

}  // namespace

std::string_view version() { return PEQUOD_VERSION; }

std::string summary_json(const SceneSource& source, const Scenario& scenario,
                         const RunReport& report) {
  const Checkpoint& last = report.checkpoint;
  const RunStatistics& statistics = last.statistics;
  OrderedJson json;
  json["status"] = status_name(report.status);
  json["reason"] = report.reason;
  json["suspect_loss_J"] = json_number(last.state.ledger.suspect);
  json["newton_residual_max"] = json_number(statistics.worst_newton);
  json["unbalanced_steps"] = statistics.unbalanced;
  add_source(json, source, scenario);
  const double time = simulated_time(scenario, last.state);
  json["simulated_time_s"] = json_number(time);
  json["wall_time_s"] = json_number(last.wall_time);
  json["real_time_factor"] = json_number(ratio(time, last.wall_time));
  json["steps"] = statistics.steps;
  json["robots"] = robots(report);
  json["events"] = events_by_kind(statistics);
  json["max_penetration_m"] = json_number(statistics.max_penetration);
  json["viscous_rate_max_per_s"] = json_number(statistics.viscous_rate_max);
  json["energy_residual_max_J"] = json_number(statistics.energy_residual_max);
  json["pivots_mean"] = json_number(pivots_mean(statistics));
  json["pivots_max"] = statistics.pivots_max;
  json["worst_solver_residual"] = json_number(statistics.worst_residual);
  json["unsolved_problems"] = statistics.unsolved;
  json["worst_unsolved"] = worst_unsolved(statistics);
  json["worst_slip_mps"] = json_number(statistics.worst_slip);
  json["worst_gain"] = json_number(statistics.worst_gain);
  json["restitution_reduced"] = statistics.reduced;
  json["solver_switches"] = statistics.switches;
  json["fallbacks"] = statistics.fallbacks;
  json["seed"] = 0;  // nothing in a run is drawn at random
  json["scene_hash"] = fmt::format("{:016x}", last.scene_hash);
  json["inputs"] = inputs(report);
  json["versions"] = versions();
  // Names and messages may come from files that are no UTF-8.
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::string summary_text(const Scenario& scenario, const RunReport& report) {
  const Checkpoint& last = report.checkpoint;
  const RunStatistics& statistics = last.statistics;
  const double time = simulated_time(scenario, last.state);
  std::string text = fmt::format("{}: {}{}, {:g} s simulated in {:.3g} s ({:.3g} x real time)\n",
                                 scenario.name, status_name(report.status), suspect_text(report),
                                 time, last.wall_time, ratio(time, last.wall_time));
  text += walked(report, time);
  text += fmt::format("  {} steps; events:", statistics.steps);
  bool any = false;
  for (int kind = 0; kind < kEventKinds; ++kind) {
    const std::int64_t count = nth(statistics.events, kind);
    if (count == 0) continue;
    text +=
        fmt::format("{} {} {}", any ? "," : "", count, event_name(static_cast<EventKind>(kind)));
    any = true;
  }
  text += any ? "\n" : " none\n";
  if (const UnsolvedProblem& worst = statistics.worst_unsolved; statistics.unsolved > 0)
    text += fmt::format(
        "  {} contact problems not solved to their tolerance, the worst, of {} contacts at "
        "t = {:g} s, to {:.1e}\n",
        statistics.unsolved, worst.contacts, worst.t, worst.residual);
  if (const std::string cut = cut_note(scenario); !cut.empty()) text += "  " + cut + "\n";
  text += fmt::format("  energy residual at most {:.3g} J, worst gap {:.3g} m\n",
                      statistics.energy_residual_max, 0.0 - statistics.max_penetration);
  return text;
}

}  // namespace pequod::app
