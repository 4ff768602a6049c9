// The event loop.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "simulation/event.h"
#include "simulation/event/first_event.h"
#include "simulation/options.h"
#include "simulation/settle/workspace.h"
#include "simulation/step_clock.h"
#include "simulation/trial/stepper.h"
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

/// Storage of the event loop.
struct LoopWorkspace {
  explicit LoopWorkspace(const Model& model) : settle(model) {}

  State next;                     // the trial step, if it is accepted
  std::vector<JointMode> joints;  // before the step
  Touching found;
  std::vector<Pose> X_WL, X_WS;
  ShapeMotion motion;
  Kinematics kin;
  SettleWorkspace settle;
  EventWorkspace event;
};

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
  bool take_step(double h);
  void keep_rims_up(Stepper& stepper, double h, double range);
  void take_fallback_step(double h);
  /// A step that was taken with impulses.
  struct Bridge {
    double span;  ///< s
    double gap;   ///< m, the smallest at its end
  };
  Bridge bridge(double longest, double reach, State& next);
  Bridge join_overlapping(double span, double gap, State& next);
  void find_contacts_within(double h);
  void take_time_step(double h);
  double raise_sunk(double gap, State& next);
  void accept_fallback(const Bridge& bridge, State& next);
  /// What the error of an adaptive step says of it.
  enum class Adapted { stands, too_long, jams };
  Adapted adapt(double h, double& length);
  ChosenMode accept(double h, const std::optional<EventHit>& hit, double gap, State& next);
  ChosenMode mode_after(const EventHit& hit, double h, State& next);
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
  void end_jam();
  void close_hop(const ContactKey& key);
  [[nodiscard]] bool meets_contact();
  void publish();
  void report_joints(std::vector<JointMode>& before);
  void count(const StepStats& stats);
  [[nodiscard]] bool crowded() const;
  void count_event();
  void watch_storm(double t_before, double due, bool eventful);
  [[nodiscard]] double storm_span() const;
  void refuse();
  double measure_gap(const Evaluator& evaluator);
  void report_step(double h, double gap);

  Observer observer_;
  StepClock clock_;  // runs only if someone observes steps
  World world_;
  Stepper stepper_, fallback_;
  State state_;
  Touching touching_;
  std::vector<EventRow> rows_;
  RunStatistics statistics_;
  LoopWorkspace workspace_;
};

}  // namespace pequod
