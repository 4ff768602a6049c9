// What a run tells: energies, events, steps, and the counters at its end.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "contact/models/contact_solver.h"
#include "core/dynamics.h"
#include "simulation/record/event_row.h"
#include "simulation/step_clock.h"
#include "simulation/step_stats.h"

namespace pequod {

class Stepper;

/// Energies at one state, J: the columns of energy.csv.
struct EnergyReport {
  double kinetic = 0.0, potential = 0.0, total = 0.0, residual = 0.0;
};

/// total − initial − work done + losses, with the ledger of the state.
[[nodiscard]] EnergyReport report_energy(const Model& model, const Kinematics& kin,
                                         const State& state);

/// Counters of a run; part of a checkpoint.
struct RunStatistics {
  std::int64_t steps = 0, solves = 0, pivots = 0, locks = 0, switches = 0, fallbacks = 0;
  std::int64_t pivots_max = 0;
  std::int64_t reduced = 0;     ///< impacts whose restitution was lowered lest energy be gained
  double worst_residual = 0.0;  ///< relative, of the contact solver
  std::int64_t unsolved = 0;    ///< contact problems whose best iterate was taken
  UnsolvedProblem worst_unsolved = {};
  std::int64_t unbalanced = 0;    ///< steps whose forces do not explain their motion, to kNewton
  double worst_newton = 0.0;      ///< of all steps, see newton_residual()
  double worst_slip = 0.0;        ///< m/s, of contacts that stick and carry force, after the solve
  double worst_gain = 0.0;        ///< of kinetic energy by impulses of a step, relative
  double max_penetration = 0.0;   ///< m, from fresh queries at every accepted state
  double viscous_rate_max = 0.0;  ///< 1/s, of viscous friction at the records: see viscous_limit.h
  double energy_residual_max = 0.0;  ///< J, largest |residual| at a record
  std::array<std::int64_t, kEventKinds> events{};
};

/// One accepted step, for steps.csv.
struct StepReport {
  double t = 0.0, h = 0.0;
  int contacts = 0;
  StepStats stats;
  double smallest_gap = kInfinity;  ///< m
  StepTimes times;  ///< since the step before, trial steps that were not accepted included
};

/// What a run tells while it goes. Each may be empty.
struct Observer {
  std::function<void(const State&, const Kinematics&, const EnergyReport&)> record;
  std::function<void(std::span<const EventRow>)> events;
  std::function<void(const StepReport&)> step;
  ProblemWatch problem;  ///< every contact problem that is solved, trial steps included
  /// Every accepted step as it was taken: its start, its trial, the forces that it tells of.
  std::function<void(const Stepper&)> accepted;
  std::function<void(const State&)> impact;  ///< a state whose impacts, if it has any, come next
};

/// What one run has to tell, to whom.
struct RunReport {
  Observer observer;
  RunStatistics statistics;
  std::vector<EventRow> rows;  ///< of the step under way
};

/// Adds what solves or a step cost.
void count(const StepStats& stats, RunStatistics& statistics);
/// Counts the rows of the step and shows them to the observer, by time: with the ends of series
/// that lay ahead of `state` and have come, and without those that lie ahead now, which it keeps.
/// @param last  nothing lies ahead any more: they are told with the time of the state
void publish(RunReport& report, StepClock& clock, State& state, bool last);

}  // namespace pequod
