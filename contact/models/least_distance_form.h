// How contact problems are posed to the least-distance solvers, and their answers read.
#pragma once

#include "contact/models/contact_model.h"

namespace pequod {

/// y₀, G and c of the normals. E keeps its storage; the caller sets k and the columns.
void pose_normals(const ContactProblem& problem, LeastDistanceProblem& out);

/// Solves workspace.problem with the friction of problem.joints beside its own constraints C:
///   min ½|y − y₀|² + Σ bⱼ |gⱼᵀy|  over y in C,
/// the bounded friction of maximum dissipation (Drumwright & Shell 2010, QP 4): each joint sticks
/// (gⱼᵀy = 0, |fⱼ| ≤ bⱼ) or slides (fⱼ = −bⱼ sign gⱼᵀy). An active set: solve with the joints'
/// modes, then stick where the sign is wrong and slide where the bound is passed, all at once; if
/// ten rounds do not settle it, one change at a time on a path along which the convex objective
/// falls, so no set comes back. Modes, forces and multipliers are left in the workspace; the
/// equalities of workspace.problem keep their place in solution.fe.
/// @param first  whether to start from problem.slide, else from the modes in the workspace
void solve_with_joints(const ContactProblem& problem, const LeastDistanceSolver& solver,
                       std::span<const int> warm, bool first, ContactWorkspace& workspace);

/// Joint forces and modes of the last solve_with_joints().
void read_joints(const ContactProblem& problem, const ContactWorkspace& workspace,
                 ContactSolution& out);
/// The same where contact came after joint friction: modes of the joints are those of the speeds
/// that contact left, forces as they were.
/// @param out  in: y; out: slide, fj
void read_moved_joints(const ContactProblem& problem, const ContactWorkspace& workspace,
                       ContactSolution& out);

/// Status, y, normal forces, active set, residual and pivots; tangential forces zero.
void read_normals(const ContactProblem& problem, const LeastDistanceSolution& in,
                  ContactSolution& out);

/// Of the problem that holds all rows of contacts at limbs at zero, with y and multipliers as
/// LimbRows::solve() gives them, those along the normals above zero.
[[nodiscard]] LeastDistanceResiduals measure_on_limbs(const ContactProblem& problem,
                                                      const VectorXd& y,
                                                      const VectorXd& multipliers);

/// The largest of them, or no number if one is none.
[[nodiscard]] double worst_of(const LeastDistanceResiduals& residuals);

}  // namespace pequod
