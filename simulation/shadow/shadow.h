// What other contact models would do, from the same states.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulation/settle/impacts.h"
#include "simulation/settle/workspace.h"
#include "simulation/trial/stepper.h"

namespace pequod {

/// One contact problem of a run, of all that touches, as one model solves it.
struct ShadowRow {
  double t = 0.0;          ///< s
  double span = 0.0;       ///< s, over which the impulses act: a step; 0: an impact
  std::string_view model;  ///< the run's own comes first, then those it is compared with
  int contacts = 0;        ///< with an impulse, by this model
  double impulse = 0.0;    ///< N·s, Σ |p|
  /// N·s, Σ |p − p'|, p' of the run's model: of a step by vectors, of an impact by the sizes along
  /// the normal and along the surface. Not zero also where the motion is the same and many impulses
  /// lead to it.
  double difference = 0.0;
  ContactKey where;     ///< of the largest term of that sum, where there is one
  double motion = 0.0;  ///< J, ½ (v − v')ᵀ M (v − v') of the velocities after them
  double loss = 0.0;    ///< J, of kinetic energy by contact and joint friction
  double residual = 0.0;
  std::string reason;  ///< why there is no answer, the figures are then 0; empty: there is one
};

/// Solves the contact problems of a run by its own model and by others. The problem of a step is
/// that of the velocity level, impulses over the step, also where the run follows accelerations:
/// so that all models answer the same question. (Viscous friction is a force of the step for the
/// model that has it, and not among its impulses.)
class Shadows {
 public:
  /// @param scenario  of the run
  /// @param models    names; the run's own is not repeated
  /// @throws std::invalid_argument  for an unknown name
  Shadows(const Scenario& scenario, std::span<const std::string> models);
  ~Shadows();

  /// Rows of a step as it was taken, with what touches at its start; none if nothing does, or if
  /// bodies moved as one.
  [[nodiscard]] std::vector<ShadowRow> step(const Stepper& taken);
  /// Rows of the impacts that follow from a state; none if nothing approaches.
  [[nodiscard]] std::vector<ShadowRow> impact(const State& from);

 private:
  class Solver;
  std::vector<std::unique_ptr<Solver>> solvers_;  // of each model; they point into themselves
};

}  // namespace pequod
