// How contact problems are posed to the least-distance solvers, and their answers read.
#pragma once

#include "contact/models/contact_model.h"

namespace pequod {

/// y₀, G and c of the normals. E keeps its storage; the caller sets k and the columns.
void pose_normals(const ContactProblem& problem, LeastDistanceProblem& out);

/// Status, y, normal forces, active set, residual and pivots; tangential forces zero.
void read_normals(const ContactProblem& problem, const LeastDistanceSolution& in,
                  ContactSolution& out);

}  // namespace pequod
