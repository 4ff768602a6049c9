// Modes of contacts that rub in the stages, and whether a trial step bears one out.
#pragma once

#include <vector>

#include "simulation/trial/stepper.h"
#include "simulation/touching.h"
#include "simulation/world.h"

namespace pequod {

/// A state whose friction mode is asked for, and what answers.
struct FrictionQuestion {
  const World& world;
  Stepper& stepper;  ///< takes trial steps from the state
  const State& state;
  const Touching& touching;  ///< the contacts of the state
  double look = 0.0;         ///< s, look-ahead
};

/// One mode: contacts that it leaves out are open.
struct ModeCandidate {
  std::vector<ContactMode> contacts;
  std::vector<JointMode> joints;
};

/// What the modes of a state are made of.
struct Holdable {
  Touching touching;                ///< contacts that do not separate
  std::vector<char> at_rest;        ///< of each of them: 1, if it rubs and has no slip
  std::vector<int> joints_at_rest;  ///< velocity coordinates
  ModeCandidate closed;             ///< all of them held: what is at rest sticks, the rest slides
};

/// What came of a mode.
struct ModeTrial {
  bool stands = false;
  bool ambiguous = false;        ///< its forces exist by a tie alone: they would run away
  State state;                   ///< with the mode, and what it holds at rest at rest
  std::vector<ContactKey> rims;  ///< points of rims that it lacks
};

/// Storage of trials.
struct TrialWorkspace {
  explicit TrialWorkspace(const Model& model) : here(model) {}

  Evaluator here;
  Touching followed;
  std::vector<Pose> X_WL;
};

/// Holdable contacts and joints of the state.
void find_holdable(const FrictionQuestion& question, Holdable& holdable, TrialWorkspace& workspace);

/// Slip that ends where that of others is taken to zero, as at the corners of one face, rests too.
void rest_with_others(const FrictionQuestion& question, Holdable& holdable,
                      TrialWorkspace& workspace);

/// The state in this mode, joints that stick at rest, contacts as they are.
[[nodiscard]] State in_mode(const State& state, const ModeCandidate& mode);

/// Takes the state into a mode, the slip that it holds projected away and booked as stabilisation,
/// and looks whether it stands there and a look-ahead later: whether a force in the cones has its
/// effect, what is open does not close and what starts to slide moves against its friction.
[[nodiscard]] ModeTrial try_mode(const FrictionQuestion& question, const Holdable& holdable,
                                 const ModeCandidate& mode, TrialWorkspace& workspace);

/// Whether the mode that the state has stands a look-ahead later. @param holdable  storage
[[nodiscard]] bool mode_stands(const FrictionQuestion& question, Holdable& holdable,
                               TrialWorkspace& workspace);

}  // namespace pequod
