// Friction of the impulse that contacts take back along their normals when they are closed.
#pragma once

#include <span>

#include "simulation/held/held_factor.h"
#include "simulation/record/event_row.h"
#include "simulation/world.h"

namespace pequod {

/// Where contacts that rub in the stages are closed after an impact that made them leave, they take
/// back impulse along their normals, which gravity would in the flight that is left out. Those that
/// slide give back its friction, so that friction of all impulses along the normal is right in the
/// sum: as far as that impact has lost energy, whose rows then tell of less.
/// @param held    what was closed, its rows with tangents
/// @param before  m/s, rad/s: the velocity before that
/// @param rows    the last of them of this instant
void give_back_friction(const World& world, Evaluator& here, State& state, const HeldFactor& held,
                        const VectorXd& before, std::span<EventRow> rows);

}  // namespace pequod
