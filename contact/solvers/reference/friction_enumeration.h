#pragma once

#include <vector>

#include "contact/solvers/friction/friction_problem.h"

namespace pequod {

/// Contacts that enumeration takes: 4⁷ = 16 384 modes are a second of work.
inline constexpr int kMostEnumeratedContacts = 7;

/// All solutions of a planar problem of Coulomb's law: every contact open, stuck or sliding either
/// way, each combination a system of linear equations in variables ≥ 0, solved by least squares.
/// Modes that share a velocity count once; of a set of solutions within one mode one is returned.
/// Least energy first, equal ones in the order of modes. An exact reference.
/// @throws std::invalid_argument  as check(problem), or if the problem is not planar, is
///                                associated or has more contacts than kMostEnumeratedContacts
[[nodiscard]] std::vector<FrictionSolution> enumerate_friction(const FrictionProblem& problem,
                                                               const FrictionOptions& options = {});

/// The first of them, as a solver; arguments as ContactsMethod says. no_solution: no combination of
/// modes is consistent. What enumerate_friction does not take ends in `failed` with a reason. The
/// warm start is not looked at, and every solve allocates.
ContactsMethod<FrictionProblem> solve_by_enumeration;

}  // namespace pequod
