// What does not change in a run.
#pragma once

#include <memory>
#include <vector>

#include "contact/impact.h"
#include "core/parallel.h"
#include "simulation/collision.h"
#include "simulation/options.h"
#include "simulation/scene_tolerances.h"
#include "simulation/step_clock.h"
#include "simulation/touching_memo.h"

namespace pequod {

/// What a run is made of. Functions that advance it take this first, and change none of it.
struct World {
  const Scenario* scenario = nullptr;
  ContactModel contact;  ///< at the level at which it acts in this run
  ContactSolver solver;
  Restitution restitution;  ///< law of impacts
  Collision collision;
  SceneTolerances tolerance;
  StepClock* clock = nullptr;  ///< is told what the time goes to; no result depends on it
  double weight = 0.0;         ///< N, scale of forces: see force_scale()
  std::vector<char> may_rest;  ///< see trees_that_may_rest()
  std::unique_ptr<Team> threads = nullptr;  ///< that share its loops; null: one
  mutable TouchingMemo touched = {};        ///< of one place; no result depends on it

  [[nodiscard]] const Team* team() const { return threads.get(); }
  /// Of solves: one thread, if problems are shown to someone, who shall see them in their order.
  [[nodiscard]] const Team* solving_team() const { return solver.watch.any() ? nullptr : team(); }
  [[nodiscard]] const Model& model() const { return scenario->model; }
  [[nodiscard]] bool velocity_level() const { return contact.level == ContactLevel::velocity; }
  /// Acceleration level: whether contacts stick or slide by friction.
  [[nodiscard]] bool rubs() const {
    return !velocity_level() && contact.friction != StageFriction::none;
  }
};

/// @throws std::invalid_argument  for an unknown model, solver, law of restitution or other word,
///                                and for choices that do not go together
[[nodiscard]] World make_world(const Scenario& scenario, const ProblemWatch& watch,
                               StepClock& clock);

}  // namespace pequod
