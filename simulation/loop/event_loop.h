// The event loop, inside of simulation/.
#pragma once

#include <optional>
#include <vector>

#include "simulation/event/first_event.h"
#include "simulation/loop/budget.h"
#include "simulation/options.h"
#include "simulation/record/event_row.h"
#include "simulation/record/report.h"
#include "simulation/resting.h"
#include "simulation/settle/impacts.h"
#include "simulation/settle/workspace.h"
#include "simulation/spin_limit.h"
#include "simulation/step_clock.h"
#include "simulation/trial/stepper.h"
#include "simulation/world.h"

namespace pequod {

/// Storage of the event loop.
struct LoopWorkspace {
  explicit LoopWorkspace(const Model& model) : settle(model) {}

  State next;                     // the trial step, if it is accepted
  std::vector<JointMode> joints;  // before the step
  Touching found;
  std::vector<double> travel;  // m, of the shapes
  Kinematics kin;
  EventWorkspace event;
  SettleWorkspace settle;
  RestingWorkspace resting;

  void poison() { pequod::poison(joints, found, travel, event, settle, resting); }
};

/// One run, advanced step by step: what `Simulation` does.
class EventLoop {
 public:
  EventLoop(const Scenario& scenario, Observer observer);
  EventLoop(const Scenario& scenario, const State& resumed, const RunStatistics& statistics,
            Observer observer);

  bool step();

  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] const RunStatistics& statistics() const { return report_.statistics; }
  [[nodiscard]] const Kinematics& kinematics() { return here().kinematics(); }
  /// What to add to an error of step().
  [[nodiscard]] std::string spin_note() const {
    return pequod::spin_note(world_.model(), state_, world_.scenario->integrator.step);
  }

 private:
  [[nodiscard]] Evaluator& here();
  void find_contacts();
  void find_contacts(const TouchRange& within);
  void find_contacts_of_step();
  void start();
  void record_if_due();
  void sleep_through_step();
  [[nodiscard]] bool past(double due) const;
  /// @param by_forces  the mode is as it was, and holds if every contact pushes
  Ending take_step(double h, bool by_forces);
  double allowed_step(double h);
  /// What the search for an event made of a trial step.
  struct Search {
    enum class Result { stands, sinks, unexplained } result;
    std::optional<EventHit> hit;
    double gap;  ///< m, the smallest at its end
  };
  [[nodiscard]] bool makes_energy(double tau) const;
  Search search(double h, State& next);
  Search cut_where_contact_ends(double tau, const Search& whole, State& next);
  void keep_rims_up(Stepper& stepper, double h, double range);
  void take_fallback_step(double h);
  bool rebound(double span, const State* tried);
  /// A step that was taken with impulses.
  struct Bridge {
    double span;  ///< s
    double gap;   ///< m, the smallest at its end
  };
  Bridge bridge(double longest, double reach, State& next);
  Bridge join_overlapping(double span, double gap, State& next);
  /// Of what may meet within h, s. It points to workspace_.
  [[nodiscard]] TouchRange range_within(double h);
  void take_time_step(double h);
  double raise_sunk(double gap, State& next);
  void accept_fallback(const Bridge& bridge, State& next);
  /// What the error of an adaptive step says of it.
  enum class Adapted { stands, too_long, jams };
  Adapted adapt(double h, double& length);
  void book(Stepper& stepper, State& next);
  ChosenMode accept(double h, const std::optional<EventHit>& hit, double gap, State& next);
  ChosenMode mode_after(const EventHit& hit, double h, State& next);
  Ending handle(const EventHit& hit, const ChosenMode& after = {});
  void end_mode(const EventHit& hit, ChosenMode after);
  void hold_too(const ContactKey& key);
  void report_touch(const ContactKey& key);
  Impacts settle_contacts();
  [[nodiscard]] double look_ahead() const;
  [[nodiscard]] bool mode_holds();
  /// @return whether the mode was left as it is, for the forces of the step to tell if it holds
  bool ensure_mode();
  StepStats renew_mode();
  void end_friction_mode(const EventHit& hit);
  void end_jam();
  void close_hop(const ContactKey& key);
  [[nodiscard]] bool meets_contact();
  [[nodiscard]] bool bridges() const;
  void report_suspects(double before);
  void report_joints(std::vector<JointMode>& before);
  void refuse();
  double measure_gap(const Evaluator& evaluator);
  void report_step(double h, int contacts, const StepStats& stats, double gap);

  RunReport report_;
  StepClock clock_;  // runs only if someone observes steps
  World world_;
  Stepper stepper_, fallback_;
  State state_;
  Touching touching_;
  LoopWorkspace workspace_;
};

}  // namespace pequod
