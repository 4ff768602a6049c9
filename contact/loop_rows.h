// Closed loops in a contact problem: equalities that every contact, joint and motion respects.
#pragma once

#include <span>

#include "contact/problem.h"

namespace pequod {

// In the coordinates y = L v the rows of an island's loops are columns H = L⁻ᵀ Jᵀ = Q R. Impulses
// and forces change y within the orthogonal complement of Q only, so the closed system responds
// like an open one whose columns G are replaced by G − Q Qᵀ G, and Qᵀ y is what the loops make it:
// contact models and their solvers need not know that there are any.

/// Fills problem.loops for Island::loops; rows that repeat others (planar linkages, a loop given
/// twice) carry nothing.
void assemble_loop_rows(const Model& model, const Kinematics& kin, const MassFactor& factor,
                        const Island& island, ContactProblem& problem);

/// Takes from each column what the loops hold of it and keeps that part, Qᵀ g, in `parts`. A column
/// that becomes shorter than 1e-9 of its length belongs to no motion: it becomes zero.
void take_off_loops(const HeldRows& loops, ColumnBuffer& columns, ColumnBuffer& parts);

/// What Hᵀ y is to be, a number for each row offered: −J̇ v at the acceleration level, or minus the
/// gaps, which a displacement closes.
void loop_rates(const Model& model, const Kinematics& kin, const Island& island, VectorXd& e);
void loop_displacements(const Model& model, std::span<const Pose> X_WL, const Island& island,
                        VectorXd& e);

/// Moves y to the nearest one with Hᵀ y = e, and takes from the conditions on contacts (c) and on
/// joints that stick (rest) what that gives them. Nothing is asked of a zero column.
void hold_loops(const VectorXd& e, const ContactProblem& problem, VectorXd& y, VectorXd& c,
                VectorXd& rest);
/// The same for the problem's own.
inline void hold_loops(const VectorXd& e, ContactProblem& problem) {
  hold_loops(e, problem, problem.y, problem.c, problem.rest);
}

/// The part of Tᵀ y that the loops hold, of column j of the tangents. @param y  of hold_loops()
[[nodiscard]] double tangent_in_loops(const ContactProblem& problem, const VectorXd& y, int j);
/// The same for the problem's own.
[[nodiscard]] inline double tangent_in_loops(const ContactProblem& problem, int j) {
  return tangent_in_loops(problem, problem.y, j);
}

}  // namespace pequod
