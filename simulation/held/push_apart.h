// What is left of inequalities once the independent rows of held contacts are equalities.
#pragma once

#include <span>
#include <vector>

#include "contact/solvers/least_distance/least_distance_workspace.h"
#include "contact/solvers/registry/least_distance_solvers.h"
#include "simulation/held/held_factor.h"

namespace pequod {

/// Storage.
struct PushBuffers {
  std::vector<int> kept;  // of keep_tangents_elsewhere()
  LeastDistanceProblem problem;
  LeastDistanceSolution solution;
  LeastDistanceWorkspace solver;
  VectorXd y;
};

/// Contacts whose rows nearly repeat others are not held as equalities, which would stop a motion
/// across the edge between their facets. Whether some are left below what is asked, by more than
/// the slack: then push_from() takes y to where none is.
/// @param e  asked of Gᵀy, of each normal; null: all zero
/// @param y  a solution of the rows that are held
[[nodiscard]] bool falls_short(const HeldIsland& part, const double* e, double slack,
                               const VectorXd& y);

/// To kept the columns of HeldIsland::problem.tangents that stay held while velocities are pushed
/// apart: independent ones of bodies on which no contact falls short. Where one does others may
/// open and slip as little; what sticks and opens could else only stop.
void keep_tangents_elsewhere(const HeldSet& set, const HeldIsland& part, double slack,
                             const VectorXd& y, std::vector<int>& kept);

/// The nearest point where Gᵀy ≥ e for all normals, with joints and some tangents held and what
/// else slips left to.
/// @param e     of each normal; null: all zero
/// @param kept  columns of HeldIsland::problem.tangents that are held; independent
/// @param y     in: of any motion; out: that point, or the same if there is none
void push_from(const HeldIsland& part, const double* e, std::span<const int> kept,
               PushBuffers& buffers, VectorXd& y);

}  // namespace pequod
