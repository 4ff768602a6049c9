// How a step is taken: by which integrator, and what contact does in it.
#pragma once

#include <string>
#include <vector>

#include "contact/models/contact_model.h"
#include "integrators/integrator.h"
#include "simulation/held/held_factor.h"
#include "simulation/world.h"

namespace pequod {

/// An integrator × a contact model at one level:
///   acceleration level: the held contacts are equalities inside every stage, so the right-hand
///   side is smooth and the integrator keeps its order;
///   velocity level: a step without contact, then impulses of the contact model over the step.
struct StepMethod {
  ContactModel contact;
  ContactSolver solver;    ///< of impulses
  bool symplectic = true;  ///< Euler; else Runge–Kutta
  bool implicit = false;   ///< viscous friction acts with the velocity at the end of the step
  RungeKutta::Method stages = RungeKutta::Method::rk4;
  /// Time-stepping and fallback steps, where the model can: islands of many contacts between free
  /// bodies are solved in the coordinates of the bodies, and moved apart where that lets them sink.
  bool in_bodies = false;
  std::vector<int> friction_joints;  ///< velocity coordinates of joints with Coulomb friction

  [[nodiscard]] bool velocity_level() const { return contact.level == ContactLevel::velocity; }
  /// Acceleration level: contacts that rub stick or slide.
  [[nodiscard]] bool rubs() const {
    return !velocity_level() && contact.friction != StageFriction::none;
  }
  /// Whether the rate of a gap at the end of a trial step is, to the order of the integrator, its
  /// slope over τ. Symplectic Euler's position moves with the velocity of its end.
  [[nodiscard]] bool rates_are_slopes() const { return !velocity_level() && !symplectic; }
  /// Whether the first stage of a step tells the forces of contacts.
  [[nodiscard]] bool knows_start() const { return rates_are_slopes(); }
  /// What stages hold along the surface.
  [[nodiscard]] HeldTangents stage_tangents() const {
    return rubs() ? HeldTangents::held : HeldTangents::without;
  }
};

/// The model by impulses once a step.
[[nodiscard]] ContactModel impulse_form(const ContactModel& model);

/// @throws std::invalid_argument  for an unknown integrator
[[nodiscard]] StepMethod make_method(const World& world, const ContactModel& contact,
                                     const std::string& integrator);

/// By the model and the integrator of the run.
[[nodiscard]] StepMethod make_method(const World& world);

/// That of fallback steps.
[[nodiscard]] StepMethod make_fallback_method(const World& world);

}  // namespace pequod
