// Impulses of a step with many contacts in reach, of which few meet.
#pragma once

#include <span>
#include <vector>

#include "contact/models/contact_model.h"

namespace pequod {

/// Storage of solve_needed().
struct NeededBuffers {
  ContactProblem problem;
  ContactSolution solution;
  std::vector<int> chosen, place, warm;  // place: of each contact among the chosen; −1: none
};

/// The contact problem of a step, of which only the contacts are posed that touch (c ≥ 0), pushed
/// before, or would be passed by the solution without them. What is left out satisfies its
/// condition Gᵀ y⁺ > c without a force, so that the solution is one of all. A rounded hull near a
/// plane has hundreds of corners in reach and stands on a few.
/// @param warm  as of ContactModel::solve, contacts of `whole`
/// @return whether it was tried and led to a solution, or, unless the solver is thorough, to usable
///         impulses: not if few are open; where it is false `solution` says nothing
bool solve_needed(const ContactModel& model, const ContactSolver& solver,
                  const ContactProblem& whole, std::span<const int> warm, NeededBuffers& buffers,
                  ContactWorkspace& workspace, ContactSolution& solution);

}  // namespace pequod
