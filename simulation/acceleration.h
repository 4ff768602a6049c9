// Acceleration without contact forces.
#pragma once

#include <span>

#include "simulation/evaluate.h"
#include "simulation/held/held_set.h"
#include "simulation/options.h"

namespace pequod {

/// kg, of the lighter of the trees of two links; −1: the world.
[[nodiscard]] double lighter_mass(const Model& model, int link_a, int link_b);
/// N, scale of the forces of a contact: the weight of the lighter of its trees, that of 1 m/s²
/// where nothing weighs. A block on a heavy plate is judged by its own weight.
[[nodiscard]] double force_scale(const Model& model, const ContactKey& key);
/// N, scale of the forces in a scene: the same of all that moves.
[[nodiscard]] double force_scale(const Model& model);

/// Generalised forces that do not come from contact, and the power of each kind.
struct AppliedForce {
  VectorXd total;     ///< Model::nv: τ + external + springs − damping
  VectorXd external;  ///< Model::nv
  VectorXd damping;   ///< Model::nv, of joints and dampers; ≥ 0 along v
};

struct FreeAcceleration {
  AppliedForce applied;
  VectorXd friction;  ///< generalised: viscous of the closed contacts, Coulomb of sliding joints
  VectorXd force;     ///< applied + friction − bias
  VectorXd vdot;      ///< M⁻¹ force

  void poison() { pequod::poison(friction, force, vdot); }
};

/// At the (q, v) the evaluator stands at.
/// @param state   supplies held efforts and the time of external forces
/// @param closed    contacts with viscous friction, followed to q; ignored unless `viscous`
/// @param sliding   modes of joints with Coulomb friction: those that slide feel −sign τ_c
/// @param laws      of the closed contacts, if they are held: the friction of those that float is
///                  left out, for their share of it is not known yet
void compute_free_acceleration(const Scenario& scenario, const Evaluator& evaluator,
                               const State& state, const VectorXd& v, const Touching& closed,
                               bool viscous, FreeAcceleration& out,
                               std::span<const JointMode> sliding = {},
                               std::span<const HeldLaw> laws = {});
/// The same but for v̇.
void compute_free_force(const Scenario& scenario, const Evaluator& evaluator, const State& state,
                        const VectorXd& v, const Touching& closed, bool viscous,
                        FreeAcceleration& out, std::span<const JointMode> sliding = {},
                        std::span<const HeldLaw> laws = {});

}  // namespace pequod
