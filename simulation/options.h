// What a run is: the model, its first state, and how to advance it.
#pragma once

#include <string>
#include <vector>

#include "contact/models/contact_model.h"
#include "core/model.h"
#include "core/state.h"
#include "core/visual.h"
#include "simulation/controller.h"

namespace pequod {

struct IntegratorOptions {
  std::string method = "symplectic-euler";  ///< symplectic-euler | rk4 | dopri5
  double step = 0.001;                      ///< s, largest step
  double tolerance = 0.0;  ///< dopri5: largest error of a step relative to 1 + |x|; 0: fixed step
};

struct ContactOptions {
  std::string model = "no-slip";
  std::string level;                    ///< velocity | acceleration; empty: see contact_level()
  std::string solver;                   ///< empty: the default of the model
  std::string restitution = "poisson";  ///< poisson | newton | newton-raw
  std::string viscous = "explicit";     ///< explicit | implicit; how the model `viscous` takes it
  int edges = 8;                        ///< of friction pyramids
  bool other_friction = false;  ///< Coulomb's law, where several motions obey it: another one than
                                ///< the limit of vanishing compliance; no scene names it
  double tolerance = 0.0;       ///< residual of Coulomb's problems; 0: as their size says
  /// continue | stop: whether a step takes the best impulses of a problem that is not solved to its
  /// tolerance
  std::string unsolved = "continue";
  /// on | off: velocity level, whether what is left of motion but for rounding is zero, and steps
  /// that end where they began are not computed again.
  std::string sleep = "on";
  /// event-driven, or time-stepping: no search for events.
  std::string scheme = "event-driven";
};

/// The level at which contact acts: the one named, else, of a model with both, the velocity level
/// under symplectic Euler and in time-stepping and the acceleration level under the others, which
/// keep their order there.
[[nodiscard]] ContactLevel contact_level(const ContactModel& model, const ContactOptions& contact,
                                         const IntegratorOptions& integrator);

struct RecordOptions {
  double every = 0.01;  ///< s
  bool steps = false;   ///< also a row a step
};

/// Constant wrench during [from, to).
struct ExternalForce {
  int frame = -1;                      ///< acts at the centre of mass of the link that carries it
  double from = 0.0, to = kInfinity;   ///< s
  Vector3d force = Vector3d::Zero();   ///< N, world axes
  Vector3d torque = Vector3d::Zero();  ///< N·m, world axes
};

/// Everything that `simulate` needs; made from YAML by scene/ or by hand.
struct Scenario {
  std::string name;
  Model model;
  State initial;           ///< its t is the time at which the run starts
  double duration = 10.0;  ///< s, from there on
  IntegratorOptions integrator;
  ContactOptions contact;
  RecordOptions record;
  std::vector<Controller> controllers;
  std::vector<ExternalForce> forces;
  int threads = 1;  ///< that advance what does not touch side by side; no bit depends on it
  std::vector<FrameVisual> visuals;  ///< of no meaning for the run, only for pictures of it
};

}  // namespace pequod
