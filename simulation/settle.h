// After an event: impacts until nothing approaches, then the mode of the contacts that stay.
#pragma once

#include <span>
#include <vector>

#include "contact/floating_rows.h"
#include "contact/impact.h"
#include "simulation/acceleration.h"
#include "simulation/event.h"
#include "simulation/held/held_factor.h"
#include "simulation/held/workspace.h"
#include "simulation/joint_friction.h"
#include "simulation/stepper.h"
#include "simulation/touching.h"

namespace pequod {

/// m/s²: relative to gravity; a contact that opens more slowly stays closed.
inline constexpr double kAccelerationTolerance = 1e-8;

/// A contact that a mode holds.
struct HeldKey {
  ContactKey key;
  bool floating = false;  ///< as in ContactMode
};

/// A contact leaves the mode that its event ended, whatever a solve at the tie says: a closed one
/// opens or floats, a floating one opens or closes.
/// @param state  before the change
void leave_mode(const State& state, const ContactKey& key, std::vector<HeldKey>& held);

/// Settles states of one scenario. Buffers only; it carries no meaning from call to call.
class Settler {
 public:
  /// @param here  evaluator to share with the caller: it stands at the state being settled
  Settler(const Scenario& scenario, const Collision& collision, const ContactModel& model,
          const ContactSolver& solver, Evaluator& here, StepClock& clock);

  /// Contacts of a state with gap ≤ range, from fresh queries.
  void find(const State& state, Touching& touching, double range = kGapTolerance);

  /// Impact stage: changes v until no touching contact approaches faster than the tolerance; books
  /// impact_loss, appends events.
  /// @return whether any impact was solved
  bool resolve_impacts(State& state, Touching& touching, std::vector<EventRow>& events);

  /// The impulse of the touching contacts where no force keeps them apart (Painlevé's paradox): the
  /// limit of an approach that free motion just began. Books impact_loss, appends events.
  /// @return whether there was any
  bool strike(State& state, Touching& touching, std::vector<EventRow>& events);

  /// Contacts whose next flight would be shorter than 1e-5 s are closed (Zeno). If none flies on,
  /// their rows carry the time at which the series of flights would end, a little after the
  /// state's.
  void close_short_flights(State& state, Touching& touching, std::vector<EventRow>& events);

  /// The same for one contact that the event search found to sink.
  /// @return false if it does not separate, or too fast for that
  bool close_hop(State& state, Touching& touching, const ContactKey& key,
                 std::vector<EventRow>& events);

  /// Mode at the acceleration level: the contacts that stay closed, from one solve with all
  /// touching contacts that do not separate. Others are dropped.
  void choose_mode(State& state, Touching& touching, std::vector<EventRow>& events);
  /// Holds exactly the contacts with these keys.
  void set_mode(State& state, const Touching& touching, const std::vector<HeldKey>& held,
                std::vector<EventRow>& events);
  /// Contacts that a solve at this state would hold: closed ones push and have friction, open ones
  /// have none; one that lifts with its friction and sinks without floats.
  /// @param touching  gets the rim points that tipping discs need, as does state.loop
  /// @param released  a contact whose force has just reached zero: taken as open at first
  void solve_mode(State& state, Touching& touching, std::vector<HeldKey>& held,
                  const ContactKey* released = nullptr);

  /// Gives the state the joint modes of the last solve_mode(); joints that stick stand still.
  void set_joint_modes(State& state) const;

  [[nodiscard]] const StepStats& stats() const { return stats_; }
  void reset_stats() { stats_ = {}; }

 private:
  [[nodiscard]] double gap_acceleration_of(const Contact& contact);
  [[nodiscard]] double next_flight(const Contact& contact, double speed);
  [[nodiscard]] double rest_of_series(double flight, double speed) const;
  bool close_some_flights(State& state, Touching& touching, std::vector<EventRow>& events);
  void push_apart(const State& state, const Island& island);
  void require_solved(const State& state) const;
  void accelerate_lifted(const State& state, Touching& touching);
  [[nodiscard]] bool uses_tangents() const;
  void assemble(std::span<const Contact> contacts, const Island& island, bool normals);
  void pose_accelerations(const State& state, const Island& island, bool normals);
  void solve_mode_of(const State& state, const Touching& touching, std::vector<HeldKey>& held,
                     const ContactKey* released);
  void open_contacts(const State& state, const Island& island, const ContactKey* released);
  bool impact_once(State& state, Touching& touching, bool first, std::vector<EventRow>& events);
  void report_impulses(const State& state, const Touching& touching, EventKind kind, double loss,
                       std::vector<EventRow>& events) const;
  void solve_accelerations(const State& state);
  void place_frictions(const Island& island);
  void share_friction(const State& state, const Island& island);
  bool move_by_gaps(bool one);
  bool move_by_shares(bool one);
  void solve_shares(Eigen::Index n, Eigen::Index k);
  double impact_island(std::size_t k, const State& state, const Touching& touching, VectorXd& v);
  void hold_slips(const State& state);
  void close_candidates(State& state, EventRow& row);
  void stop_approaches(State& state, const Touching& touching, EventRow& row);
  [[nodiscard]] bool no_impulses() const;
  double strike_island(const State& state, const Island& island, VectorXd& v);
  void close_struck(State& state, const Touching& touching, double& loss);
  [[nodiscard]] bool must_grip(const State& state, const Touching& touching) const;
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
  const ContactSolver* solver_;
  Restitution law_;
  Evaluator* here_;
  StepClock* clock_;
  TouchingWorkspace touching_workspace_;
  HeldFactor held_;
  HeldSet held_set_;
  HeldWorkspace held_workspace_;
  FreeAcceleration free_;
  std::vector<Island> islands_;
  std::vector<int> tree_offset_;
  ContactProblem problem_;
  ContactWorkspace workspace_;
  ContactSolution solution_;
  ImpactSolution impact_;
  Touching candidates_;
  std::vector<ContactMode> modes_;
  std::vector<HeldKey> keys_;
  // Modes of one island's contacts while they are chosen.
  enum class Hold : char { open, floating, closed };
  std::vector<Hold> hold_;
  MatrixXd pull_, pull_floating_;  // L⁻ᵀ f of all contacts, and of those that float
  std::vector<char> has_friction_;
  std::vector<int> order_;
  VectorXd generalised_, y_bare_, share_, opening_, e_, f_, y_;
  HeldRows rows_;
  FloatingShares shares_;
  std::vector<double> restitution_, before_;
  bool plastic_ = false;        // impacts do not bounce any more
  double approach_ = 0.0;       // m/s, largest before the impacts resolved last
  double stopped_ = kInfinity;  // m/s, half of what was projected away last, until an impact
  std::vector<int> warm_;
  VectorXd part_, row_, vdot_;
  std::vector<std::size_t> lifted_;  // of close_short_flights(), as are close_ and force_
  std::vector<char> close_;
  std::vector<double> force_;
  std::vector<Vector3d> impulse_;  // n, |t| of each touching contact, N·s
  std::vector<char> sticking_;
  std::vector<JointMode> chosen_;  // of the last solve_mode()
  std::vector<int> at_rest_;       // velocity coordinates of joints with friction at rest
  StepStats stats_;
};

}  // namespace pequod
