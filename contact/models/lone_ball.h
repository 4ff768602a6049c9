// The contact of a ball that touches nothing else.
#pragma once

#include "contact/models/contact_model.h"

namespace pequod {

/// Coulomb's law of an island of one contact, if its three rows are those of a ball, in closed
/// form: what it takes to pose a problem of any contacts costs many times as much.
/// @return  false if it is another problem, of whose solution nothing is of use then
[[nodiscard]] bool solve_lone_ball(const ContactProblem& problem, ContactSolution& solution);

}  // namespace pequod
