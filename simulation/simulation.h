// The event loop.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "simulation/event.h"
#include "simulation/event/first_event.h"
#include "simulation/friction_modes.h"
#include "simulation/joint_friction.h"
#include "simulation/options.h"
#include "simulation/settle/mode.h"
#include "simulation/settle/workspace.h"
#include "simulation/step_clock.h"
#include "simulation/stepper.h"
#include "simulation/world.h"

namespace pequod {

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
  std::int64_t reduced = 0;       ///< impacts whose restitution was lowered lest energy be gained
  double worst_residual = 0.0;    ///< relative, of the contact solver
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
};

/// The model by which a fallback step resolves contact: impulses once a step.
[[nodiscard]] ContactModel impulse_form(const ContactModel& model);

/// One run, advanced step by step.
class Simulation {
 public:
  /// Starts at scenario.initial, or at a state of a checkpoint.
  /// @throws std::invalid_argument for an unknown model, solver or integrator
  explicit Simulation(const Scenario& scenario, Observer observer = {});
  Simulation(const Scenario& scenario, const State& resumed, const RunStatistics& statistics,
             Observer observer);

  /// Advances to the next event or the end of the step; records on the way.
  /// @return false once the duration is reached (and the last row recorded)
  /// @throws DivergenceError, ContactError; state() is then the last good one
  bool step();
  /// Steps until done.
  void run() {
    while (step()) {
    }
  }

  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] const RunStatistics& statistics() const { return statistics_; }
  [[nodiscard]] const Kinematics& kinematics() { return here().kinematics(); }

 private:
  [[nodiscard]] Evaluator& here();
  void find_contacts(double range = kGapTolerance);
  [[nodiscard]] ControlInput control_input();
  void start();
  void call_due_controllers();
  void record_if_due();
  [[nodiscard]] bool past(double due) const;
  [[nodiscard]] double next_step_end() const;
  [[nodiscard]] double next_time() const;
  void take_step(double h);
  void keep_rims_up(Stepper& stepper, double h, double range);
  void take_fallback_step(double h);
  double bridge(double longest, double reach);
  double join_overlapping(double step);
  [[nodiscard]] double reach_within(double h);
  void drop_out_of_reach(double h);
  void take_time_step(double h);
  bool raise_sunk();
  void accept_fallback(double step);
  bool adapt(double h, double& length);
  ChosenMode accept(double h, const std::optional<EventHit>& hit);
  ChosenMode mode_after(const EventHit& hit, double h);
  void handle(const EventHit& hit, const ChosenMode& after = {});
  void end_mode(const EventHit& hit, ChosenMode after);
  void hold_too(const ContactKey& key);
  void report_touch(const ContactKey& key);
  bool settle_contacts();
  [[nodiscard]] double look_ahead() const;
  [[nodiscard]] bool mode_holds();
  void ensure_mode();
  StepStats renew_mode();
  void end_friction_mode(const EventHit& hit);
  bool choose_friction();
  bool strike_friction(StepStats& stats);
  void end_jam();
  void close_hop(const ContactKey& key);
  [[nodiscard]] bool meets_contact();
  void publish();
  void report_joints();
  void count(const StepStats& stats);
  [[nodiscard]] bool crowded() const;
  void count_event();
  void watch_storm(double t_before, double due);
  [[nodiscard]] double storm_span() const;
  void refuse();
  double measure_gap(const Evaluator& evaluator);
  void report_step(double h);

  Observer observer_;
  StepClock clock_;  // runs only if someone observes steps
  World world_;
  ContactModel fallback_model_;
  Stepper stepper_, fallback_;
  FrictionModes friction_modes_;
  EventWorkspace event_workspace_;
  State state_, next_;
  Touching touching_, other_touching_;
  std::vector<EventRow> rows_;
  std::vector<JointMode> joints_before_;
  bool eventful_ = false;  // whether the step under way had an event
  RunStatistics statistics_;
  std::vector<Pose> X_WL_, X_WS_;
  ShapeMotion step_motion_;
  Kinematics flat_;  // poses of a start, velocities of the end
  double smallest_gap_ = kInfinity;
  SettleWorkspace settle_workspace_;
};

}  // namespace pequod
