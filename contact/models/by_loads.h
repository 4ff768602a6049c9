// Coulomb's law among bodies whose masses differ by far.
#pragma once

#include "contact/models/contact_model.h"

namespace pequod {

/// solve_load_friction() of the contacts, from these impulses (3n, or none).
/// @return  false if it does not solve the problem, of whose solution nothing is of use then; so
///          where joints have Coulomb friction
[[nodiscard]] bool solve_by_loads(const ContactProblem& problem, std::span<const double> guess,
                                  ContactWorkspace& workspace, ContactSolution& solution);

/// The same of the problem as it stands in workspace.friction, its forces along
/// workspace.columns (see pose_friction()): in accelerations a contact that slides along a known
/// direction pushes along n − μ d, with no friction besides. From the loads of infinite friction.
/// @param standing  storage
/// @return          false also where the masses of bodies that touch do not differ by far. The
///                  solution is workspace.load_solution, its u = Gᵀy − c those of workspace.loads
[[nodiscard]] bool solve_posed_by_loads(const ContactProblem& problem,
                                        const LeastDistanceSolver& solver,
                                        ContactWorkspace& workspace, ContactSolution& standing);

/// Whether a contact slides under these impulses (3n, or none): then solve_by_loads() is tried
/// before solve_stuck(), which it ends without a result.
[[nodiscard]] bool slides_under(const ContactProblem& problem, std::span<const double> impulses);

}  // namespace pequod
