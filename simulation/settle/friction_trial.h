// Modes of contacts that rub in the stages: which may be right, and whether a trial step bears one
// out.
#pragma once

#include <optional>
#include <vector>

#include "contact/solvers/complementarity/baraff.h"
#include "simulation/acceleration.h"
#include "simulation/settle/islands.h"
#include "simulation/touching.h"
#include "simulation/trial/stepper.h"
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
  Touching at_start, followed;
  std::vector<Pose> X_WL;
};

/// Holdable contacts and joints of the state.
void find_holdable(const FrictionQuestion& question, Holdable& holdable, TrialWorkspace& workspace);

/// The holdable contacts where the links are at q.
/// @param kin   at q
/// @param X_WL  storage
void follow_holdable(const Model& model, const Kinematics& kin, const VectorXd& q,
                     const Holdable& holdable, std::vector<Pose>& X_WL, Touching& followed);

/// Slip that ends where that of others is taken to zero, as at the corners of one face, rests too.
void rest_with_others(const FrictionQuestion& question, Holdable& holdable,
                      TrialWorkspace& workspace);

/// The state in this mode, joints that stick at rest, contacts as they are.
[[nodiscard]] State in_mode(const State& state, const ModeCandidate& mode);

/// Whether a mode may stand whose forces balance, but would run away from there on.
enum class Balance { stable, any };

/// Takes the state into a mode, the slip that it holds projected away and booked as stabilisation,
/// and looks whether it stands there and a look-ahead later: whether a force in the cones has its
/// effect, what is open does not close and what starts to slide moves against its friction.
[[nodiscard]] ModeTrial try_mode(const FrictionQuestion& question, const Holdable& holdable,
                                 const ModeCandidate& mode, Balance balance,
                                 TrialWorkspace& workspace);

/// s: the look-ahead, shorter where slips of the state that the stepper has begun from end before.
[[nodiscard]] double look_within_slips(const FrictionQuestion& question);

/// Whether the mode that the state has stands a look-ahead later. @param holdable  storage
[[nodiscard]] bool mode_stands(const FrictionQuestion& question, Holdable& holdable,
                               TrialWorkspace& workspace);

/// Storage of solves for modes.
struct FrictionSolveWorkspace {
  FreeAcceleration free;
  IslandWorkspace island;
  BaraffProblem by_rows;
  std::vector<Eigen::Index> posed;  // rows of the friction problem that it has
  std::vector<double> mu;           // of these
};

/// The mode in which every contact at rest slides that sticks in `stuck`. Directions: from against
/// the friction that held it, then d ← d + a_t/2μg at the look-ahead; d ← a_t alone diverges.
/// @return none if nothing sticks, friction does not tell a direction, or they do not settle
[[nodiscard]] std::optional<ModeCandidate> slide_from_rest(const FrictionQuestion& question,
                                                           const Holdable& holdable,
                                                           const State& stuck);

/// The mode in which every joint slides whose friction would have to pass its bound: where it does
/// by next to nothing, accelerations tell of no slip.
/// @param stuck  the state of the mode in which they stick
/// @return none if no joint does
[[nodiscard]] std::optional<ModeCandidate> slide_joints(const Model& model,
                                                        const Holdable& holdable,
                                                        const State& stuck);

/// The mode in which contacts too slow to be told from rest, that would have to stick by more than
/// their friction, go on in the direction of what slip they have: accelerations that start a slip
/// from rest may start it the other way. @param stuck  as above @return none if there are none
[[nodiscard]] std::optional<ModeCandidate> slide_on(const FrictionQuestion& question,
                                                    const Holdable& holdable, const State& stuck,
                                                    TrialWorkspace& workspace);

/// The mode in which every contact opens that a step of a look-ahead in this one would have to
/// pull, or that would if it carried anything. @return none if nothing pulls
[[nodiscard]] std::optional<ModeCandidate> open_what_pulls(const FrictionQuestion& question,
                                                           ModeCandidate mode);

/// A mode by the accelerations under a law of friction.
struct AcceleratedMode {
  bool solved = false;
  ModeCandidate mode;
  VectorXd vdot;
  StepStats stats;
};

/// What these accelerations open is not in the mode, what they move slides.
/// @param state    the state in question, or one a little later
/// @param per_row  friction bounded along each tangent (Baraff 1994), else Coulomb's law
[[nodiscard]] AcceleratedMode accelerated_mode(const World& world, const State& state,
                                               const Holdable& holdable, bool per_row,
                                               TrialWorkspace& workspace,
                                               FrictionSolveWorkspace& solve);

/// The state a little later, by these accelerations. @param look  s
[[nodiscard]] State move_ahead(const Model& model, const State& state, const VectorXd& vdot,
                               double look);

}  // namespace pequod
