// What is left of inequalities once the independent rows of held contacts are equalities.
#pragma once

#include "contact/solvers/least_distance_solvers.h"
#include "contact/solvers/least_distance_workspace.h"
#include "simulation/held/held_factor.h"

namespace pequod {

/// Of push_apart().
struct PushBuffers {
  LeastDistanceProblem problem;
  LeastDistanceSolution solution;
  LeastDistanceWorkspace solver;
  VectorXd y;
};

/// Contacts whose rows nearly repeat others are not held as equalities, which would stop a motion
/// across the edge between their facets. Where they are left below what is asked, y goes to the
/// nearest point where Gᵀy ≥ e for all normals. Others may open then and slip as little; what
/// sticks and opens could else only stop. Joints stay held.
/// @param e      of each normal; null: all zero
/// @param slack  of Gᵀy: what may be left
/// @param y      in: a solution of the rows that are held; out: the same or that point
void push_apart(const HeldIsland& part, const double* e, double slack, PushBuffers& buffers,
                VectorXd& y);

/// The nearest point where Gᵀy ≥ e for all normals, with joints held and what slips left to.
/// @param e  of each normal; null: all zero
/// @param y  in: of any motion; out: that point, or the same if there is none
void push_from(const HeldIsland& part, const double* e, PushBuffers& buffers, VectorXd& y);

}  // namespace pequod
