#include "app/certify/track.h"

#include <fmt/format.h>

#include <sstream>

#include "app/comparison_errors.h"
#include "app/walkers.h"
#include "simulation/loop/instant.h"
#include "simulation/loop/step_grid.h"
#include "simulation/record/run_folder_rows.h"

namespace pequod::app::certify {
namespace {

// Of the order of Dormand and Prince's formula, which halves its steps for a tolerance of 2⁻⁵.
constexpr double kTighterSteps = 1.0 / 32.0;
// Far enough that what is left of the looser one is all that the two differ by, and not below what
// rounding leaves of small problems (1e-12).
constexpr double kTighterSolves = 1e-3;
constexpr double kSmallestTolerance = 1e-12;

std::vector<EndFigure> end_figures(const State& state, const RunStatistics& statistics,
                                   const std::vector<Walker>& walkers) {
  std::vector<EndFigure> figures{{"energy_residual_max", "J", statistics.energy_residual_max},
                                 {"max_penetration", "m", statistics.max_penetration},
                                 {"worst_slip", "m/s", statistics.worst_slip}};
  for (const Walker& walker : walkers) {
    figures.push_back({walker.name + ".walked", "m", distance_walked(walker, state)});
    figures.push_back({walker.name + ".fell_at", "s", walker.fell_at.value_or(kNaN)});
  }
  return figures;
}

}  // namespace

Track run_track(const Scenario& scenario, Observer observer, const Going& going) {
  Track track;
  std::string energy = energy_header();
  track.state_text = state_header(scenario.model);
  observer.record = [&](const State& state, const Kinematics&, const EnergyReport& report) {
    append_state(track.state_text, scenario.model, state);
    append_energy(energy, state, report);
  };
  std::vector<Walker> walkers = find_walkers(scenario);
  double t = scenario.initial.t;
  try {
    Simulation simulation(scenario, observer);
    while (!track.stopped && simulation.step()) {
      t = simulation.state().t;
      watch_falls(scenario.model, simulation.state(), walkers);
      track.stopped = !going((t - scenario.initial.t) / scenario.duration);
    }
    track.statistics = simulation.statistics();
    if (!track.stopped) track.figures = end_figures(simulation.state(), track.statistics, walkers);
  } catch (const std::exception& error) {
    track.failure = fmt::format("it failed after t = {:g} s: {}", t, error.what());
  }
  std::istringstream states(track.state_text), energies(energy);
  track.state = read_state_log(states);
  track.energy = read_state_log(energies);
  return track;
}

Scenario halved(const Scenario& scenario) {
  Scenario finer = scenario;
  // What rows or ticks cut steps to is known to rounding only, which would cut halves once more.
  const double longest = step_grid(scenario).longest;
  if (longest < (1.0 - kSameStep) * scenario.integrator.step)
    finer.integrator.step = std::stod(fmt::format("{:.9g}", longest));
  finer.integrator.step *= 0.5;
  finer.integrator.tolerance *= kTighterSteps;
  return finer;
}

double step_ratio(const Scenario& scenario, const Scenario& finer) {
  return step_grid(scenario).mean / step_grid(finer).mean;
}

std::optional<Scenario> tightened(const Scenario& scenario) {
  const ContactModel& model = *find_contact_model(scenario.contact.model);
  if (model.family != SolverFamily::friction) return std::nullopt;
  Scenario tighter = scenario;
  const double asked = scenario.contact.tolerance > 0.0 ? scenario.contact.tolerance
                                                        : accepted_residuals().front().residual;
  tighter.contact.tolerance = std::max(kTighterSolves * asked, kSmallestTolerance);
  return tighter;
}

std::optional<Scenario> with_other_friction(const Scenario& scenario) {
  const ContactModel& model = *find_contact_model(scenario.contact.model);
  const std::string& solver = scenario.contact.solver;
  if (model.family != SolverFamily::friction ||
      (!solver.empty() && solver != solver_names(model.family).front()))
    return std::nullopt;
  Scenario other = scenario;
  other.contact.other_friction = true;
  return other;
}

}  // namespace pequod::app::certify
