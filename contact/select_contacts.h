// A problem with some of its contacts.
#pragma once

#include <span>

#include "contact/problem.h"

namespace pequod {

/// @param chosen  contacts of `whole`, ascending; joints and loops stay
/// @param part    the same problem as if there were no others
void select_contacts(const ContactProblem& whole, std::span<const int> chosen,
                     ContactProblem& part);

}  // namespace pequod
