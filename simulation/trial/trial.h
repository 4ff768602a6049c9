// Where one trial of a step ends.
#pragma once

#include "simulation/acceleration.h"
#include "simulation/held/friction.h"
#include "simulation/held/project.h"
#include "simulation/step_stats.h"
#include "simulation/trial/step_start.h"

namespace pequod {

/// Work of a step, J.
struct StepWork {
  double actuator = 0.0, external = 0.0, damping = 0.0, friction = 0.0;
  double impulse_friction = 0.0, impulse_normal = 0.0;  ///< losses by impulses, velocity level
};

/// What happened to one touching contact in a step of impulses.
struct ContactImpulse {
  Vector3d impulse = Vector3d::Zero();  ///< N·s on b, world axes
  bool active = false, sticks = false;  ///< as the solver says
  bool turns = false;                   ///< the step knows how its normal turns
  bool closed = false;                  ///< its gap is still zero at the end of the step
  bool held = false;                    ///< by its force, or moved up: gap and speed are made zero
  bool swept = false;                   ///< of an island in the coordinates of its bodies
  bool rests = false;                   ///< its bodies do not move: nor does its gap
  double normal_work = 0.0, friction_work = 0.0;  ///< J, of its impulse

  /// Onto its gap and its speed along its row, at the end of the step.
  [[nodiscard]] bool is_projected() const { return closed && !rests && !swept; }
};

/// The end of a step before it is projected onto what is held.
struct RawEnd {
  Kinematics kin;  ///< at q
  VectorXd q, v;
  bool taken = false;  ///< the step ends there, and its terms have taken the links: no more here
};

/// Accelerations, forces of what is held among them.
struct SmoothMotion {
  FreeAcceleration free;  ///< vdot: with what is held
  HeldMotion held;
  std::vector<Vector3d> viscous;  ///< N, velocity level: see find_viscous_forces(); empty: none
};

/// Acceleration level: what speaks against the mode of a trial.
struct ModeTrouble {
  double infeasibility = 0.0;  ///< how far the needed force is from any that contacts may have,
                               ///< relative; 0: there is one
  double aimless = 0.0;        ///< rad, most by which aims of creeping slips still changed
  bool grown = false;          ///< a force of a sliding contact grew to a multiple of what it was
};

/// The state τ after the start of a step, and what led there.
struct Trial {
  double tau = kNaN;        ///< s; not a number: none was taken
  State state;              ///< its mode holds the contact forces there
  Evaluator terms;          ///< stands at the state
  HeldFactor held;          ///< what is held there; its contacts stand there
  Touching raised;          ///< that leave, and were below zero: moved up without a force
  SmoothMotion motion;      ///< at the end; velocity level: at the start, without contact
  FrictionForces friction;  ///< of contacts that rub
  ModeTrouble trouble;
  Projected projected;       ///< its velocities, onto what is held
  bool moved_apart = false;  ///< velocity level: bodies that overlapped were
  bool lands = false;  ///< velocity level: a contact that did not touch at the start is closed
  VectorXd v_free;     ///< velocity level: v at the end of the step, without contact
  VectorXd v_plus;     ///< velocity level: v at the start of the step, after its impulses
  double error = 0.0;  ///< of an adaptive step, relative
  StepWork work;
  RawEnd raw;
  StepStats stats;

  explicit Trial(const Model& model, const Team* team = nullptr)
      : terms(model, team), held(model, team) {}

  /// Whether the gap of this contact is zero by itself, not by its motion: it is held, or it leaves
  /// and symplectic Euler would let it sink.
  [[nodiscard]] bool holds(const ContactKey& key) const {
    return held.set().touching.has(key) || raised.has(key);
  }
  /// Whether the step ends where it did before what is held was closed.
  [[nodiscard]] bool ends_raw() const {
    return !moved_apart && (raw.taken || are_equal(raw.q, state.q));
  }
  /// N, normal forces of the held contacts.
  [[nodiscard]] const std::vector<double>& normal_forces() const {
    return held.set().rubs() ? friction.normal : motion.held.force;
  }
  /// N, how far the mode of a held contact is from its end: see FrictionForces and HeldMotion.
  [[nodiscard]] double friction_margin(const ContactKey& key) const {
    return held.set().value_of(key, friction.margin);
  }
  [[nodiscard]] double floating_margin(const ContactKey& key) const {
    return held.set().value_of(key, motion.held.floating_margin);
  }
};

}  // namespace pequod
