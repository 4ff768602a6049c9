// After an event: impacts until nothing approaches, then the mode of the contacts that stay.
#pragma once

#include <span>
#include <vector>

#include "contact/impact.h"
#include "simulation/acceleration.h"
#include "simulation/event.h"
#include "simulation/held.h"
#include "simulation/joint_friction.h"
#include "simulation/stepper.h"
#include "simulation/touching.h"

namespace pequod {

/// Settles states of one scenario. Buffers only; it carries no meaning from call to call.
class Settler {
 public:
  /// @param here  evaluator to share with the caller: it stands at the state being settled
  Settler(const Scenario& scenario, const Collision& collision, const ContactModel& model,
          const LeastDistanceSolver& solver, Evaluator& here, StepClock& clock);

  /// Contacts of a state with gap ≤ range, from fresh queries.
  void find(const State& state, Touching& touching, double range = kGapTolerance);

  /// Impact stage: changes v until no touching contact approaches faster than the tolerance; books
  /// impact_loss, appends events.
  /// @return whether any impact was solved
  bool resolve_impacts(State& state, Touching& touching, std::vector<EventRow>& events);

  /// Contacts whose next flight would be shorter than 1e-5 s are closed (Zeno).
  void close_short_flights(State& state, Touching& touching, std::vector<EventRow>& events);

  /// Mode at the acceleration level: the contacts that stay closed, from one solve with all
  /// touching contacts that do not separate. Others are dropped. @param keep  keys decided
  /// elsewhere (nullptr: solve here)
  void choose_mode(State& state, const Touching& touching, std::vector<EventRow>& events);
  /// Holds exactly the contacts with these keys.
  void set_mode(State& state, const Touching& touching, const std::vector<ContactKey>& closed,
                std::vector<EventRow>& events);
  /// Keys that a solve at this state would keep closed.
  void solve_mode(const State& state, const Touching& touching, std::vector<ContactKey>& closed);

  /// Gives the state the joint modes of the last solve_mode(); joints that stick stand still.
  void set_joint_modes(State& state) const;

  [[nodiscard]] const StepStats& stats() const { return stats_; }
  void reset_stats() { stats_ = {}; }

 private:
  bool impact_once(State& state, Touching& touching, std::vector<EventRow>& events);
  double impact_island(std::size_t k, const State& state, const Touching& touching, VectorXd& v);
  void project(State& state, const Touching& held, const std::vector<char>& sticking,
               double& booked);
  void classify_joints(const State& state);
  void read_joints(const Island& island);
  [[nodiscard]] std::span<const JointMode> sliding_joints() const {
    if (model_->level == ContactLevel::velocity) return {};
    return chosen_;
  }

  const Scenario* scenario_;
  const Collision* collision_;
  const ContactModel* model_;
  const LeastDistanceSolver* solver_;
  Restitution law_;
  Evaluator* here_;
  StepClock* clock_;
  TouchingWorkspace touching_workspace_;
  HeldContacts held_;
  FreeAcceleration free_;
  std::vector<Island> islands_;
  std::vector<int> tree_offset_;
  ContactProblem problem_;
  ContactWorkspace workspace_;
  ContactSolution solution_;
  ImpactSolution impact_;
  Touching candidates_;
  std::vector<ContactMode> modes_;
  std::vector<ContactKey> keys_;
  std::vector<double> restitution_, before_;
  std::vector<int> warm_;
  VectorXd part_;
  std::vector<Vector3d> impulse_;  // n, |t| of each touching contact, N·s
  std::vector<char> sticking_;
  std::vector<JointMode> chosen_;  // of the last solve_mode()
  std::vector<int> at_rest_;       // velocity coordinates of joints with friction at rest
  StepStats stats_;
};

}  // namespace pequod
