// Contact problems between free bodies, posed in the coordinates of the bodies.
#pragma once

#include "contact/models/contact_model.h"

namespace pequod {

/// The bodies' problem in `bodies`, from blocks of six coordinates y.
/// @return  false if it cannot be: joints with friction, loops, a contact that moves more than two
///          blocks, as those of a robot do, or trees that do not fill their blocks
[[nodiscard]] bool pose_bodies(const ContactProblem& problem, BodyProblem& bodies);

/// The same of an island whose rows are those of bodies (ContactProblem::in_bodies).
/// @param chosen  1 for the contacts to pose
void pose_chosen_bodies(const ContactProblem& problem, std::span<const char> chosen,
                        BodyProblem& bodies);

}  // namespace pequod
