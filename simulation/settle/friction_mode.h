// The mode of contacts that rub in the stages: which stick, slide or open.
#pragma once

#include <vector>

#include "simulation/record/event_row.h"
#include "simulation/settle/friction_trial.h"

namespace pequod {

struct SettleWorkspace;

/// Storage of the choice of friction modes.
struct FrictionModeWorkspace {
  explicit FrictionModeWorkspace(const Model& model) : trial(model) {}

  Holdable holdable;
  TrialWorkspace trial;
  FrictionSolveWorkspace solve;

  void poison() {
    pequod::poison(holdable.touching, holdable.at_rest, holdable.joints_at_rest, trial.at_start,
                   trial.followed, trial.X_WL, solve.free, solve.island, solve.posed, solve.mu);
  }
};

/// What choose_friction_mode() found.
struct FrictionChoice {
  bool found = false;
  std::vector<ModeCandidate> balanced;  ///< modes that were left out: their forces would run away
  StepStats stats;
  std::vector<ContactKey> rims;  ///< points of rims that the state has, and that modes need which
                                 ///< fail because a disc that lies flat tips about a chord
};

/// Gives the state the first of these modes that stands, with events for the contacts it changes:
///   1. all touching contacts closed, those without slip stick
///   2. all of these slide from rest; not where friction is infinite and forces are unique
///   3. the modes of the accelerations under the model's law at this state
///   4. the same a look-ahead later
///   5. joints slide that would have to be held by more than their friction
///   6. what little slip is left goes on where friction cannot hold it
///   7. what would have to pull a look-ahead later opens
///   8. the first of these whose forces balance, but run away
/// At the instant of a change two or three modes satisfy everything: the one that still does a
/// look-ahead later is right (friction_trial.h). A sliding contact that may open or carry a force
/// that runs away (several solutions, Baraff 1994) opens, with an event `painleve` without impulse.
/// @param touching  the contacts of the state
/// @param look      s, look-ahead
/// @return whether one was found; if not the state is as before
FrictionChoice choose_friction_mode(const World& world, Stepper& stepper, State& state,
                                    const Touching& touching, double look,
                                    std::vector<EventRow>& events,
                                    FrictionModeWorkspace& workspace);

/// Whether the mode that the state has still holds a look-ahead later.
[[nodiscard]] bool friction_mode_holds(const World& world, Stepper& stepper, const State& state,
                                       const Touching& touching, double look,
                                       FrictionModeWorkspace& workspace);

/// How a state with friction in the stages was settled.
struct FrictionOutcome {
  bool found = false;       ///< whether it has a mode; if not it had none, but for impulses
  StepStats modes = {};     ///< of solves that choose modes
  StepStats impulses = {};  ///< of solves for impulses
};

/// Chooses the mode, adding the rim points that tipping discs need. Where there is none, no force
/// keeps the contacts as they are: as strike_friction().
/// @param touching  in and out: the contacts of the state
FrictionOutcome settle_friction(const World& world, Stepper& stepper, State& state,
                                Touching& touching, double look, std::vector<EventRow>& events,
                                SettleWorkspace& workspace);

/// An impulse of no duration changes the velocities of contacts that no force keeps as they are;
/// then the mode is chosen.
FrictionOutcome strike_friction(const World& world, Stepper& stepper, State& state,
                                Touching& touching, double look, std::vector<EventRow>& events,
                                SettleWorkspace& workspace);

}  // namespace pequod
