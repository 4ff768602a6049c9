// Contact problems between free bodies, posed in the coordinates of the bodies.
#pragma once

#include <vector>

#include "contact/models/contact_model.h"
#include "contact/problem.h"

namespace pequod {

/// The bodies' problem in `bodies`, from blocks of six coordinates y.
/// @param chosen  1 for the contacts to pose; empty: all
/// @return  false if it cannot be: joints with friction, loops, a contact that moves more than two
///          blocks, as those of a robot do, or trees that do not fill their blocks
[[nodiscard]] bool pose_bodies(const ContactProblem& problem, BodyProblem& bodies,
                               std::span<const char> chosen = {});

/// The same of an island whose rows are those of bodies (ContactProblem::in_bodies).
/// @param chosen  1 for the contacts to pose
void pose_chosen_bodies(const ContactProblem& problem, std::span<const char> chosen,
                        BodyProblem& bodies);

/// From here on methods for many contacts go first: measured on packings of spheres, the sparse one
/// takes 0.8 of the time of the dense chain at 24 contacts, a tenth at 150 and a fiftieth at 500.
inline constexpr int kManyContacts = 100;

/// From here on steps, impacts and modes under `coulomb` go by the coordinates of free bodies
/// first: on 64 balls that settle they take a third of the time of the dense chain at 60 to 100
/// contacts. Smaller problems are looked through for several solutions (kAskedContacts).
inline constexpr int kBodyContacts = 33;

/// Whether it has at least so many contacts, and on many bodies: one body on hundreds of contacts
/// is another matter.
/// @param coordinates  of the island
[[nodiscard]] bool is_of_many_bodies(int contacts, int coordinates, int least = kManyContacts);

/// Whether a step goes on with the best impulses that bodies have: other methods take seconds for
/// what they do not solve. Impacts and accelerations have no step that would mend what is left.
[[nodiscard]] bool takes_best(const ContactProblem& problem, const ContactSolver& solver);

// Of an island in the coordinates of its bodies, the contacts that a solve is about.

/// Those that touch, pushed before, or would be passed without impulses. What is left out satisfies
/// its condition Gᵀ y⁺ ≥ c without an impulse, unless add_passed() finds that it does not.
/// @param guess   3 × contacts, or empty: their last impulses
/// @param chosen  gets 1 for those, else 0
void choose_contacts(const ContactProblem& problem, const std::vector<double>& guess,
                     std::vector<char>& chosen);

/// Chooses those that the motion y passes as well. @return whether there are any
bool add_passed(const ContactProblem& problem, const VectorXd& y, std::vector<char>& chosen);

/// Which they are, ascending.
void name_chosen(const std::vector<char>& chosen, std::vector<int>& names);

/// The guess of those that are chosen, in place of that of all.
void pack_chosen(const std::vector<char>& chosen, std::vector<double>& guess);

/// The other way round. @return  impulses of all, of r of the chosen; in `all` as well
VectorXd spread_chosen(const std::vector<char>& chosen, const VectorXd& r,
                       std::vector<double>& all);

}  // namespace pequod
