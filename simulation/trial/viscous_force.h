// Viscous friction in a step of impulses: a force over the step, as its impulses have none.
#pragma once

#include <vector>

#include "simulation/trial/steps.h"

namespace pequod {

/// Of each contact of the start, N on b, world axes: what rubs by the mode of the start does so
/// over the step τ (s) by its slip there (Drumwright 2015, eq. 13), each island less by 1/(1 + rτ),
/// r the rate at which that takes energy from it: so it never gains any, whatever μv.
void find_viscous_forces(const StepTask& task, double tau, std::vector<Vector3d>& forces);

/// Adds them to the forces of a free motion.
void add_viscous_forces(const StepTask& task, const std::vector<Vector3d>& forces,
                        FreeAcceleration& free);

}  // namespace pequod
