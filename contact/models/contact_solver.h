// Solvers of contact problems by name, whatever kind of problem a contact model poses.
#pragma once

#include <string_view>
#include <vector>

#include "contact/solvers/friction_solvers.h"
#include "contact/solvers/lcp_solvers.h"
#include "contact/solvers/least_distance_solvers.h"

namespace pequod {

/// What a contact model asks of its solver.
enum class SolverFamily {
  least_distance,  ///< a convex quadratic program without friction cones
  friction,        ///< Coulomb's law with its true cone
  dissipation,     ///< least energy over true cones (Drumwright & Shell 2010, QP 1)
  pyramid          ///< a linear complementarity problem, friction by pyramids
};

/// One solver by name. A model of another family than least distance still needs a least-distance
/// solver, for what it does without friction.
struct ContactSolver {
  // NOLINTNEXTLINE(google-explicit-constructor): a least-distance solver is one
  ContactSolver(LeastDistanceSolver solver)
      : name(solver.name), least_distance(std::move(solver)) {}

  std::string_view name;
  LeastDistanceSolver least_distance;
  SolveFriction friction;          ///< of family `friction`, else empty
  const LcpSolver* lcp = nullptr;  ///< of family `pyramid`, else none
  int edges = 8;                   ///< of a friction pyramid
};

/// Names of the solvers that serve a family, the default first.
[[nodiscard]] std::vector<std::string_view> solver_names(SolverFamily family);
[[nodiscard]] bool serves(SolverFamily family, std::string_view name);

/// @param name  empty: the default of the family
/// @throws std::invalid_argument  if the solver does not serve the family; the message names those
///                                that do
[[nodiscard]] ContactSolver make_contact_solver(SolverFamily family, std::string_view name);

}  // namespace pequod
