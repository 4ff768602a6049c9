// Projection onto what is held: gaps and loops closed, velocities along the rows gone.
#pragma once

#include <span>

#include "simulation/held/held_factor.h"
#include "simulation/held/tolerances.h"
#include "simulation/scene_tolerances.h"

namespace pequod {

struct HeldWorkspace;

/// m, rad: what a projection of positions leaves.
struct LeftGaps {
  double widest = 0.0;    ///< the largest gap or opening of a loop
  double to_close = 0.0;  ///< of contacts that contradict each other the deepest alone
  double moved = 0.0;     ///< the way to there, of the coordinate that goes farthest
};

/// Moves q by the least change in the M metric until all held gaps are zero to rounding, and all
/// loops closed, with the rows at hand (simplified Newton). The contacts move along. Gaps that
/// contradict each other by no more than kContradictsBy, as of a body on more facets than it needs,
/// stay where they are, but for one step or instant (HeldSet::brief).
/// @param mass   the factor that the rows were made with
/// @param at_q   poses at q
/// @param tolerance  of the scene; {} of one of full size
/// @param limit  iterations
/// @param ended  where nothing but gaps is held, placed at each q on the way, and so at the last,
///               which is asked for next; null: no one asks
/// @throws ContactError  if loops open on being closed
LeftGaps project_position(const Model& model, const MassFactor& mass, const Kinematics& at_q,
                          HeldFactor& held, const SceneTolerances& tolerance, VectorXd& q,
                          HeldWorkspace& workspace, int limit = kProjections,
                          Evaluator* ended = nullptr);

/// m, of the contacts.
[[nodiscard]] double widest_gap(std::span<const Contact> contacts);

/// What a projection of velocities did beside leaving no velocity along the rows.
struct Projected {
  double suspect = 0.0;  ///< J of that which its rows do not explain: see kOwnLosses
  double taken = 0.0;    ///< J, of the energy of motion
  double share = 0.0;    ///< of the energy of an island that it took or gave, the largest
  /// J, of motion after it; NaN unless the islands have all trees, and no joints that it rests.
  double kinetic = kNaN;
  bool opened = false;  ///< some contacts were let open instead: they were no mode
};

/// J, twice the energy of an island that moves at y = L v, and of its mass at kSlowIsland: what is
/// slower has none that a step could waste. @param square  of y
[[nodiscard]] double scale_of_energy(const Model& model, const Island& island,
                                     const SceneTolerances& tolerance, double square);

/// Least change of v in the M metric that leaves no velocity along the rows. Where an island would
/// lose more than kOwnLosses times what the speed along each row has in energy by itself, as rows
/// take that nearly repeat others but have other speeds, what approaches is pushed apart and the
/// rest may open; if that takes as much, it is told.
Projected project_velocity(const Evaluator& here, const HeldFactor& held,
                           const SceneTolerances& tolerance, VectorXd& v, HeldWorkspace& workspace);

}  // namespace pequod
