// What the trials of one step start from.
#pragma once

#include <span>
#include <vector>

#include "contact/problem.h"
#include "simulation/collision.h"
#include "simulation/evaluate.h"
#include "simulation/trial/method.h"

namespace pequod {

/// Whether the turn of a contact's rows over a step is asked for, and whether its impulse turns
/// with it. Over a blunt edge of the ground rows turn as over the plane there, and the impulse
/// stays.
enum class Turns : std::uint8_t { none, over_plane, with_contact };

/// Velocity level: the contact problems of the islands, and where their solvers start from.
struct ImpulseProblems {
  std::vector<Island> islands;
  std::vector<int> tree_offset;
  std::vector<ContactProblem> problems;
  std::vector<std::vector<int>> warm;
  std::vector<VectorXd> y;         ///< of each island that has contacts or joints: of the start
  std::vector<VectorXd> turn;      ///< m/s², y coordinates: see find_turns()
  std::vector<Turns> turns;        ///< of each contact
  std::vector<double> turn_times;  ///< s, of each island
  double turn_time = 0.0;  ///< s: shortest in which what turns changes the motion of the two
                           ///< bodies at a contact by kMostTurned; +∞ if nothing turns
};

/// A settled state and its contacts.
struct StepStart {
  State state;
  Evaluator terms;            ///< stands at the state
  Touching touching;          ///< its contacts
  std::vector<int> modes;     ///< of each contact: its place in state.mode, −1 if it has none
  std::vector<char> touched;  ///< of each link: 1 if it is touched
  HeldSet held;               ///< acceleration level: those that its mode holds
  std::vector<char> forced;   ///< velocity level, of each contact: held whatever the solve says
  std::vector<double> apart;  ///< m, velocity level: gaps of contacts that do not touch yet, else 0
  ImpulseProblems impulses;   ///< velocity level
  std::vector<ShapePair> joined;  ///< velocity level: of bodies that move as one

  explicit StepStart(const Model& model, const Team* team = nullptr)
      : terms(model, team), held(model) {}

  /// What the state says of a contact, nullptr if nothing.
  [[nodiscard]] const ContactMode* mode(std::size_t contact) const {
    const int at = modes[contact];
    return at < 0 ? nullptr : &nth(state.mode, at);
  }
};

/// Makes it the start at `state`, for trials by that method. The evaluator of the end of the last
/// step stands there already, and rows of what was held there may serve again.
/// @param forced  keys of touching contacts to hold whatever the solve says (velocity level)
/// @param ended   terms at the end of the step before: changes places with the start's
/// @param held    what was held there
/// @return whether it is where the one before was and as fast, its contacts the same: velocity
///         level: what was found of their motion still holds
bool start_step(const World& world, const StepMethod& method, const State& state,
                const Touching& touching, std::span<const ContactKey> forced, Evaluator& ended,
                HeldFactor& held, StepStart& start);

/// Acceleration level: what the mode of the state holds.
/// @param wanted  of the contacts, 1 for those to hold; empty: all
void hold_mode(const StepMethod& method, const StepStart& start, std::span<const char> wanted,
               HeldSet& held);

/// Whether a solve starts from the forces of the one before: by rows of friction, and of many
/// bodies under any model.
[[nodiscard]] bool starts_from_forces(const StepMethod& method, const ContactProblem& problem);

/// Warm start of the impulses of island k from the forces of the step before, which the state
/// carries.
void remember_forces(const StepMethod& method, const StepStart& start, std::size_t k,
                     ImpulseProblems& impulses);

}  // namespace pequod
