#pragma once

#include "contact/solvers/friction/friction_problem.h"
#include "contact/solvers/friction/friction_workspace.h"

namespace pequod {

/// Contacts from which on a pile that stands is worth a look before anything is solved.
inline constexpr int kManyResting = 16;
/// Contacts up to which Choice::automatic looks whether there are several solutions, and seeks the
/// limit of vanishing compliance: that takes ten times as long as a warm start of Newton's method.
inline constexpr int kAskedContacts = 32;

/// The default friction solver: a chain of methods, each ended by a semismooth Newton method and
/// judged by whether its modes are exact. `method` names the stage that ended it:
///
///   ball        one contact of a ball, whose normal and tangents move by themselves: closed form
///   start       the warm start itself, if it is exact and nothing slides (kManyResting)
///   warm        Newton from the warm start
///   newton      Newton from P_K(−q̂)
///   nsgs-10     ten sweeps of exact block Gauss–Seidel first; nsgs-100: a hundred
///   proximal    the path of vanishing compliance first
///   admm        1000 steps of alternating directions from the best so far; above 100 contacts the
///               first stage, up to 100 the last but the dear ones
///   restart     random starts from options.seed, every second one swept first; up to 100 contacts
///   admm-long   20 000 steps, after a fifth of the restarts; up to 100 contacts
///   limit       any of them, then the limit of vanishing compliance (FrictionOptions::Choice)
///   other       any of them, then sweeps from the last contact to the first (the same)
///
/// If no stage is exact, the best residual counts; with more than 16 contacts the dear stages end
/// at 1e-9. Above 100 contacts a residual within the tolerance is enough, and Choice::automatic
/// means first_found. Dimension 5 is left to alternating directions and projected sweeps, the
/// associated law to alternating directions and Newton.
///
/// no_solution: impulses grow without limit along the proximal path. r is then the direction of
/// their growth, of length one in contact units: W r = 0 to 1e-6 and qᵀr < 0. If W is symmetric and
/// the tangents of r are zero, it proves that there is no solution: rᵀu = rᵀq < 0 for all impulses.
ContactsMethod<FrictionProblem> solve_coulomb;

}  // namespace pequod
