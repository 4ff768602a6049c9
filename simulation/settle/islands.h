// Contact problems at a state that is settled, island by island.
#pragma once

#include <span>
#include <vector>

#include "contact/problem.h"
#include "contact/solvers/linear/poison.h"
#include "simulation/acceleration.h"
#include "simulation/step_stats.h"
#include "simulation/touching.h"
#include "simulation/world.h"

namespace pequod {

/// Islands of some contacts.
struct Islands {
  std::vector<Island> all;
  std::vector<int> tree_offset;  ///< where the coordinates of each tree begin in its island's
};

/// One island's problem, and the rows that pushed before: where a solver starts.
struct PosedProblem {
  ContactProblem problem;
  std::vector<int> warm;
};

/// Storage of what is solved island by island.
struct IslandWorkspace {
  Islands islands;
  PosedProblem posed;
  ContactSolution solution;
  ContactWorkspace solver;
  VectorXd part, loop_rates;

  void poison() { pequod::poison(islands.tree_offset, posed.warm, part, loop_rates, solver); }
};

/// Which rows a problem has.
enum class Rows { normals, all };
/// Those that the contacts of this model have in impacts and where modes are chosen: where they rub
/// in stages only, or by forces that are known, no tangents.
[[nodiscard]] Rows rows_of(const ContactModel& model);

/// Fills the rows of one island's problem. @param here  stands at the state
void assemble(const World& world, const Evaluator& here, std::span<const Contact> contacts,
              const Island& island, std::span<const int> tree_offset, Rows rows,
              ContactProblem& problem);

/// Poses one island in accelerations (m/s²) and forces (N): what these contacts at rest, and the
/// island's joints, need so that no gap closes. Starts from the modes of the state.
/// @param vdot_free  without contact
void pose_accelerations(const World& world, const Evaluator& here, const State& state,
                        const Touching& candidates, const VectorXd& vdot_free, const Island& island,
                        std::span<const int> tree_offset, Rows rows, VectorXd& rates,
                        PosedProblem& posed);

/// Joints whose velocity is known, and with it the force of their friction: at the velocity level
/// none, there friction is an impulse of the solve.
[[nodiscard]] inline std::span<const JointMode> sliding_joints(
    const World& world, const std::vector<JointMode>& joints) {
  if (world.velocity_level()) return {};
  return joints;
}

/// Accelerations without contact forces and friction of contacts, and the biases of these contacts.
/// @param here  stands at the state
void accelerate_freely(const World& world, const Evaluator& here, const State& state,
                       Touching& touching, FreeAcceleration& out);

/// @throws ContactError  unless forces were found
void require_forces(const ContactSolution& solution, int contacts, double t);

}  // namespace pequod
