// The mode of contacts without friction in the stages: which of those that touch stay closed.
#pragma once

#include <vector>

#include "simulation/record/event_row.h"
#include "simulation/settle/floating.h"
#include "simulation/settle/project.h"

namespace pequod {

struct SettleWorkspace;

/// A contact that a mode holds.
struct HeldKey {
  ContactKey key;
  bool floating = false;  ///< as in ContactMode
  double share = 1.0;     ///< the same
};

/// What a solve at the acceleration level would hold.
struct ChosenMode {
  std::vector<HeldKey> held;
  std::vector<JointMode> joints;  ///< of all joints with friction
  StepStats stats;
};

/// Storage of the choice of a mode.
struct ModeWorkspace {
  Touching candidates;
  std::vector<int> joints_at_rest;
  VectorXd vdot;
  IslandAccelerations solved;
  std::vector<Hold> hold;
  ChosenMode chosen;

  void poison() {
    pequod::poison(candidates, joints_at_rest, vdot, solved.opening, solved.share, hold);
  }
};

/// Contacts that a solve at this state would hold: closed ones push and have friction, open ones
/// have none; one that lifts with its friction and sinks without floats.
/// @param state     State::loop gets the rim points that tipping discs need
/// @param touching  its contacts; those of these points are added
/// @param released  a contact whose force has just reached zero: taken as open at first
void solve_mode(const World& world, Evaluator& here, State& state, Touching& touching,
                const ContactKey* released, ChosenMode& chosen, SettleWorkspace& workspace);

/// A contact leaves the mode that its event ended, whatever a solve at the tie says: a closed one
/// opens or floats, a floating one opens or closes.
/// @param state  before the change
void leave_mode(const State& state, const ContactKey& key, std::vector<HeldKey>& held);

/// Gives the state these modes of its joints; those that stick stand still.
void set_joint_modes(const std::vector<JointMode>& joints, State& state);

/// Holds exactly the contacts with these keys, with events for those that open. What velocity they
/// have is projected away and booked as stabilisation.
void set_mode(const World& world, Evaluator& here, State& state, const Touching& touching,
              const std::vector<HeldKey>& held, std::vector<EventRow>& events,
              ProjectionWorkspace& workspace);

/// Whether touching contacts that rest are other ones than those that the mode holds.
[[nodiscard]] bool rests_otherwise(const World& world, const Kinematics& kin, const State& state,
                                   const Touching& touching);

/// Whether a mode of contacts that rest_otherwise() finds unchanged still holds if each of them
/// pushes, within its cone, so that the first forces of a step tell: nothing else is chosen with
/// it. With friction, of contacts that stick at limbs.
[[nodiscard]] bool is_known_by_forces(const World& world, const State& state,
                                      const Touching& touching);

/// All of that: solves for the mode of the state and sets it. @return what that cost
StepStats choose_mode(const World& world, Evaluator& here, State& state, Touching& touching,
                      std::vector<EventRow>& events, SettleWorkspace& workspace);

}  // namespace pequod
