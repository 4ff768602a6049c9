#pragma once

#include <span>

#include "contact/solvers/least_distance/least_distance.h"
#include "contact/solvers/least_distance/least_distance_workspace.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

// Moves shared by the active-set methods. `workspace.problem` is prepared, `workspace.factor` holds
// the active rows B, `workspace.y` and `workspace.u` belong to B after solve_on_active_set.

/// What a method does between the first set B and the last.
using ActiveSetSteps = SolveStatus (*)(const LeastDistanceOptions& options,
                                       LeastDistanceWorkspace& workspace,
                                       LeastDistanceSolution& solution);

/// One solve: the problem is prepared, B begins with the independent rows of the warm start,
/// `steps` are taken unless the verdict stands by then, and the answer is written and checked.
/// Arguments and errors as LeastDistanceMethod says.
void solve_by(ActiveSetSteps steps, const LeastDistanceProblem& problem,
              const LeastDistanceOptions& options, std::span<const int> warm_start,
              LeastDistanceWorkspace& workspace, LeastDistanceSolution& solution);

/// y, u of min ½|y − y₀|² with the rows of B as equalities, from y₀ afresh:
/// y = y₀ + Q a, u = R⁻¹a, a = R⁻ᵀc_B − Qᵀy₀.
void solve_on_active_set(LeastDistanceWorkspace& workspace);

/// What remains of unit row p beside the rows of B says nothing below this: equalities that leave
/// little of a row leave its direction uncertain by rounding over what is left.
[[nodiscard]] double dependence_bound(int p, const LeastDistanceOptions& options,
                                      const LeastDistanceWorkspace& workspace);

/// Goldfarb & Idnani's dual method from the present set B to the end: first the rows with negative
/// multipliers leave, then violated rows enter. The dual objective rises with every row that
/// enters, so no set returns.
SolveStatus take_dual_steps(const LeastDistanceOptions& options, LeastDistanceWorkspace& workspace,
                            LeastDistanceSolution& solution);

/// The largest number of rows added or removed.
int pivot_limit(const LeastDistanceOptions& options, const LeastDistanceWorkspace& workspace);

/// Position in B of the most negative multiplier below −tolerance, the lowest row number among
/// equals; −1 if there is none.
Index most_negative_multiplier(const LeastDistanceWorkspace& workspace, double tolerance);

/// Removes the row at a position of B and its multiplier.
void remove_row(Index position, LeastDistanceWorkspace& workspace, LeastDistanceSolution& solution);

}  // namespace pequod
