// Coulomb's law among bodies whose masses differ by far.
#pragma once

#include "contact/models/contact_model.h"

namespace pequod {

/// solve_load_friction() of the contacts, from these impulses (3n, or none).
/// @return  false if it does not solve the problem, of whose solution nothing is of use then; so
///          where joints have Coulomb friction
[[nodiscard]] bool solve_by_loads(const ContactProblem& problem, std::span<const double> guess,
                                  ContactWorkspace& workspace, ContactSolution& solution);

/// Whether a contact slides under these impulses (3n, or none): then solve_by_loads() is tried
/// before solve_stuck(), which it ends without a result.
[[nodiscard]] bool slides_under(const ContactProblem& problem, std::span<const double> impulses);

}  // namespace pequod
