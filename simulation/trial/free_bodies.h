// Free rigid bodies in a step of symplectic Euler: kicked by forces, then turning by themselves.
//
// With v₁ = v₀ + h v̇ and v̇ from the gyroscopic moment ω × I ω at the start a body that spins gains
// energy in each step, h² of it, and its angular momentum drifts. So bodies without joints take the
// step in two: forces and impulses change linear and angular momentum P and L at the pose of the
// start; then the body turns by the midpoint rule, which keeps P, L and the energy. Symplectic
// Euler is the same splitting where nothing is gyroscopic. To first order in h nothing changes.
// (Trees with joints take v̇ at the start.)
#pragma once

#include <span>
#include <vector>

#include "simulation/evaluate.h"

namespace pequod {

/// A body without joints that turns in a step, world axes.
struct FreeBody {
  int link = -1;
  Vector3d w, v;  ///< rad/s, m/s of the centre of mass, after the forces of the step
  Vector6d mean;  ///< [ω; v of the frame origin] that takes the frame through the step
};

/// Of the bodies whose turn matters over τ (s): to v the velocity that takes them through the step.
/// @param start  terms at the start of the step
/// @param v        in: v₀ + τ v̇, its gyroscopic part that of the start
/// @param touched  of each link, 1: it is left as it is, for a contact on it. At the acceleration
///                 level a gap is followed by the velocity of the end, which is then the one that
///                 moves it
void start_turns(const Evaluator& start, const VectorXd& v0, double tau,
                 std::span<const char> touched, VectorXd& v, std::vector<FreeBody>& turning);

/// Places their centres of mass at the end and gives them the velocity of their momentum there.
/// @param kicked  the velocity of start_turns() and what impulses at the start added; may be v
/// @param moved   the velocity that took the orientations to those of q; may be the same
/// @param q, v    of the end, in and out
void end_turns(const Evaluator& start, double tau, const VectorXd& kicked, const VectorXd& moved,
               const std::vector<FreeBody>& turning, VectorXd& q, VectorXd& v);

}  // namespace pequod
