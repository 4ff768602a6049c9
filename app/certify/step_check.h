// The certificate of one accepted step: are its forces and its motion what mechanics and the
// contact law ask?
#pragma once

#include "app/certify/contact_law.h"
#include "simulation/trial/stepper.h"

namespace pequod::app::certify {

/// All relative; NaN: not judged.
struct StepCheck {
  double t = 0.0;    ///< s, end of the step
  double h = 0.0;    ///< s
  int contacts = 0;  ///< that touched, joint limits among them
  bool forces =
      false;  ///< acceleration level: accelerations and forces, else velocities and impulses
  /// What Newton and Euler miss on the worst body: velocity level M (v⁺ − v_free) = Σ Jᵀ p, at the
  /// acceleration level M v̇ + bias = applied + Σ Jᵀ f. Of models with loops it is not judged.
  double newton = kNaN;
  /// Velocity level, symplectic Euler: M (v_free − v)/h + bias = applied, the same of the velocity
  /// before contact. Not judged for single bodies that spin, whose turn is a splitting.
  double bias = kNaN;
  /// Velocity level: how far the turn of the rows that the solver was told of is from that of
  /// contacts which are moved a little along their motion and found anew.
  double turn = kNaN;
  double law = kNaN;  ///< natural map of the worst contact, of the motion of its bodies
  double gap = kNaN;  ///< duality gap over the energy of the motion; convex laws alone
};

/// Of what a step of simulation/trial took and tells. Rows, mass, bias and what contacts turn by
/// are found anew, by Newton and Euler of each link, velocities of its points and contacts that are
/// followed along the motion; of the solver's factor and rows only the units of contacts take part,
/// which no zero depends on.
/// @param stepper  stands at an accepted step: Observer::accepted
[[nodiscard]] StepCheck check_step(const Scenario& scenario, const Stepper& stepper);

/// The law of the model at the level at which it acts in this step.
[[nodiscard]] ContactLaw law_of(const StepMethod& method);

}  // namespace pequod::app::certify
