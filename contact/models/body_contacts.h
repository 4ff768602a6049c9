// Of an island in the coordinates of its bodies, the contacts that a solve is about.
#pragma once

#include <vector>

#include "contact/problem.h"

namespace pequod {

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
