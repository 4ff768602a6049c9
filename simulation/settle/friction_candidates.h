// The friction modes that are tried where not everything that is at rest can stick.
#pragma once

#include <optional>
#include <vector>

#include "contact/solvers/baraff.h"
#include "simulation/acceleration.h"
#include "simulation/settle/friction_trial.h"
#include "simulation/settle/islands.h"

namespace pequod {

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
