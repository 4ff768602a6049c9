// Momentum of islands that nothing fixed holds.
#pragma once

#include <vector>

#include "contact/solvers/linear/poison.h"
#include "simulation/trial/step_start.h"
#include "simulation/trial/trial.h"

namespace pequod {

struct StepTask;

/// Whether nothing that stands still holds an island: all its bases are free, and its contacts and
/// loops are between its own bodies.
[[nodiscard]] bool is_free(const Model& model, const StepStart& start, const Island& island);

/// Of all bodies of an island.
[[nodiscard]] MassCentre mass_centre(const Model& model, const Kinematics& kin,
                                     const Island& island);

/// Of an island or a tree of it, about its own centre of mass.
struct FreeMomentum {
  std::size_t of = 0;                    ///< of ImpulseProblems::islands, or of Model::trees
  Vector3d velocity = Vector3d::Zero();  ///< m/s, of the centre of mass
  Vector3d angular = Vector3d::Zero();   ///< kg m²/s
};

/// Storage.
struct FreeMomentumBuffers {
  std::vector<FreeMomentum> islands;
  std::vector<FreeMomentum> trees;  ///< those of them that have joints
  VectorXd q, v;
  Kinematics kin = {};

  void poison() { pequod::poison(islands, trees, q, v); }
};

/// Velocity level: what the forces of a step τ, without contact, make of each island that nothing
/// fixed holds, and of its trees. Contacts, limits and loops within an island, the turn of their
/// rows and the projection of positions give nothing to it as a whole. Symplectic Euler: of islands
/// without joints, as where a tree with joints would go by forces that a limit stops tells nothing
/// of where it goes.
/// @param trial  velocities that forces alone lead to, and, of a Runge–Kutta step, positions too
void find_free_momenta(const StepTask& task, double tau, const Trial& trial,
                       FreeMomentumBuffers& buffers);

/// Gives these trees what the impulses of the trial gave them where they acted, at the start. Of
/// limits that is nothing: a joint that is pressed on its limit turns no robot.
void add_impulses(const StepTask& task, const Trial& trial, FreeMomentumBuffers& buffers);

/// Turns and moves these trees as wholes, so that they have that momentum at q.
/// @param v  in and out
void keep_tree_momenta(const StepTask& task, const VectorXd& q, FreeMomentumBuffers& buffers,
                       VectorXd& v);

/// The same of these trees, and of the islands, where the positions of the trial are closed.
void keep_momenta(const StepTask& task, FreeMomentumBuffers& buffers, Trial& trial);

}  // namespace pequod
