// Contacts that are closed: what is left of their velocity is projected away.
#pragma once

#include <vector>

#include "simulation/held/held_factor.h"
#include "simulation/held/workspace.h"
#include "simulation/record/event_row.h"
#include "simulation/touching.h"
#include "simulation/world.h"

namespace pequod {

/// Storage of projections.
struct ProjectionWorkspace {
  explicit ProjectionWorkspace(const Model& model) : factor(model) {}

  HeldFactor factor;
  HeldWorkspace held;
  std::vector<int> joints;

  void poison() { pequod::poison(held, joints); }
};

/// Removes the velocity of the state along the normals of these contacts, and along the tangents of
/// those that stick, by the least change in the metric M. Joints that their friction holds stay at
/// rest.
/// @param here  stands at the state afterwards, if there is any contact
/// @param brief  as of HeldSet: rows that nearly repeat others are left
/// @return J, the kinetic energy that this takes
double project_away(const World& world, Evaluator& here, State& state, const Touching& held,
                    const std::vector<char>& sticking, ProjectionWorkspace& workspace,
                    bool brief = false);

/// Whether no row of these contacts comes near a combination of others, so that all can be closed
/// without stopping more than their own speeds.
[[nodiscard]] bool are_independent(const World& world, Evaluator& here, const State& state,
                                   const Touching& contacts, ProjectionWorkspace& workspace);

/// Stops these contacts along their normals, and along their tangents where they have no slip.
/// Books the loss as zeno_loss, and in `row`.
void close_contacts(const World& world, Evaluator& here, State& state, const Touching& contacts,
                    EventRow& row, ProjectionWorkspace& workspace);

}  // namespace pequod
