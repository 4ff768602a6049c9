// Impulses under which nothing slips, as a solution of Coulomb's law.
#pragma once

#include "contact/models/contact_model.h"

namespace pequod {

/// solve_no_slip() without its last resort. @return false if its solver fails
[[nodiscard]] bool find_no_slip(const ContactProblem& problem, const LeastDistanceSolver& solver,
                                std::span<const int> warm, ContactWorkspace& workspace,
                                ContactSolution& solution);

/// Whether bodies that touch differ so much that W = GᵀG is short of digits: a light body between
/// two of R times its mass leaves 1/R of its entries to what the heavy one does, and loads R times
/// as large as what moves it.
[[nodiscard]] bool masses_differ(const ContactProblem& problem);

/// Looks for impulses under which no contact that carries slips. The velocities are those of
/// infinite friction, found in y, where no square of a mass ratio is formed and no large loads
/// cancel. They solve Coulomb's law too if they can be had by impulses within the cones on contacts
/// that neither slip nor leave: the least of these, as shares of what their bodies carry, are
/// taken. What is left of the momentum of a coordinate is judged by the impulses on that
/// coordinate, not by the largest of all.
/// @param lifted  whether contacts that are apart (c < 0) may carry
/// @return        whether there are such impulses; else the solution is of no use. Never where
///                joints have Coulomb friction
[[nodiscard]] bool solve_stuck(const ContactProblem& problem, const ContactSolver& solver,
                               bool lifted, ContactWorkspace& workspace, ContactSolution& solution);

}  // namespace pequod
