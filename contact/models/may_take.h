// Which solutions may be taken.
#pragma once

#include "contact/models/contact_model.h"

namespace pequod {

/// Whether it is solved, or failed with best impulses that will do unless the solver is thorough.
/// @param found  a ContactSolution, an ImpactSolution, or how either ended
template <typename Solution>
[[nodiscard]] bool may_take(const Solution& found, const ContactSolver& solver) {
  return found.status == SolveStatus::solved || (found.usable && !solver.thorough);
}

}  // namespace pequod
