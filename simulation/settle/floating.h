// Which contacts float: the mode where friction alone lifts a contact and its absence lets it sink.
#pragma once

#include <vector>

#include "contact/floating_rows.h"
#include "contact/solvers/complementarity/lcp_problem.h"
#include "simulation/settle/islands.h"

namespace pequod {

/// What a mode makes of a contact.
enum class Hold : char { open, floating, closed };

/// Viscous frictions of one island's contacts in the coordinates y = L v̇ of its problem.
struct IslandFrictions {
  MatrixXd pull;          ///< m×n: L⁻ᵀ f of each contact's whole friction
  std::vector<char> any;  ///< n: whether that is not zero
  VectorXd y_bare;        ///< m: L v̇ without contact and without any of them
};

/// One island in accelerations and forces that only push.
struct IslandAccelerations {
  ContactSolution solution;
  VectorXd opening;  ///< m/s², of the gaps
  VectorXd share;  ///< of the viscous friction of each contact, once share_friction() has found it
};

/// Forces and shares of an island as a complementarity problem.
struct SharesProblem {
  BoxProblem box;
  MatrixXd effect;  ///< m×(2n + k): what each unknown adds to y
  VectorXd start;   ///< 2n + k, what the last round of changes ended with
  LcpSolution solution;

  void poison() { pequod::poison(box.M, box.q, box.lower, box.upper, effect, start); }
};

/// Storage of the search for floating contacts, and of rows that are held beside it.
struct FloatingWorkspace {
  IslandFrictions frictions;
  VectorXd solved_with, whole, generalised, part;
  std::vector<int> order;
  MatrixXd pull;
  VectorXd e, f, y;
  HeldRows rows;
  FloatingShares shares;
  SharesProblem complementarity;

  void poison() {
    complementarity.poison();
    pequod::poison(frictions.pull, frictions.any, frictions.y_bare, solved_with, whole, generalised,
                   part, order, pull, e, f, y);
  }
};

/// Solves one island, with forces that only push. @param t  s, for messages
StepStats solve_accelerations(const World& world, double t, const PosedProblem& posed,
                              IslandAccelerations& solved, ContactWorkspace& workspace);

/// Walks `hold` to a mode in which closed contacts push with all of their friction, open ones
/// separate without any, and those between need a share in [0, 1] (Filippov's convex combination of
/// the two sides of the discontinuity; as a set-valued map it has a fixed point, so such a mode
/// exists).
/// @param candidates  the contacts that the island was made of
/// @param posed   in: with the whole friction of all contacts; out: with the shares found
/// @param solved  in and out: the solution of that
StepStats share_friction(const World& world, const Evaluator& here, double t,
                         const Touching& candidates, const Island& island, PosedProblem& posed,
                         std::vector<Hold>& hold, IslandAccelerations& solved,
                         ContactWorkspace& solver, FloatingWorkspace& workspace);

}  // namespace pequod
