// Storage for settling states.
#pragma once

#include "contact/impact.h"
#include "simulation/acceleration.h"
#include "simulation/settle/floating.h"
#include "simulation/settle/friction_mode.h"
#include "simulation/settle/islands.h"
#include "simulation/settle/mode.h"
#include "simulation/settle/project.h"

namespace pequod {

/// What the functions of settle/ write before they read it.
struct SettleWorkspace {
  explicit SettleWorkspace(const Model& model) : projection(model), friction(model) {}

  TouchingWorkspace touching;
  IslandWorkspace island;
  FreeAcceleration free;
  ImpactSolution impact;
  ModeWorkspace mode;
  FloatingWorkspace floating;
  ProjectionWorkspace projection;
  FrictionModeWorkspace friction;

  void poison() { pequod::poison(touching, island, free, mode, floating, projection, friction); }
};

}  // namespace pequod
