// Solvers of contact problems by name, whatever kind of problem a contact model poses.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "contact/solvers/complementarity/baraff.h"
#include "contact/solvers/friction/bodies/body_friction.h"
#include "contact/solvers/friction/dissipation/maximum_dissipation.h"
#include "contact/solvers/registry/friction_solvers.h"
#include "contact/solvers/registry/lcp_solvers.h"
#include "contact/solvers/registry/least_distance_solvers.h"

namespace pequod {

/// What a contact model asks of its solver.
enum class SolverFamily {
  least_distance,  ///< a convex quadratic program without friction cones
  friction,        ///< Coulomb's law with its true cone
  dissipation,     ///< least energy over true cones (Drumwright & Shell 2010, QP 1)
  pyramid          ///< a linear complementarity problem, friction by pyramids
};

using SolveDissipation = std::function<void(
    const FrictionProblem& problem, const MaximumDissipationOptions& options,
    MaximumDissipationWorkspace& workspace, MaximumDissipationSolution& solution)>;

/// Are shown each problem that the named solver solves, its warm start and what it made of it.
struct ProblemWatch {
  WatchLeastDistance least_distance;
  std::function<void(const FrictionProblem& problem, std::span<const double> warm_start,
                     const FrictionSolution& solution)>
      friction;
  std::function<void(const SparseFrictionProblem& problem, std::span<const double> warm_start,
                     const FrictionSolution& solution)>
      sparse;
  std::function<void(const FrictionProblem& problem, const MaximumDissipationOptions& options,
                     const MaximumDissipationSolution& solution)>
      dissipation;
  std::function<void(const LcpProblem& problem, const LcpSolution& solution)> lcp;
  /// Accelerations and forces that choose the modes of friction inside a step, whose solver no one
  /// names: Coulomb's law by solve_coulomb, or friction bounded along each tangent.
  std::function<void(const FrictionProblem& problem, const FrictionSolution& solution)> modes;
  std::function<void(const BaraffProblem& problem, const LcpSolution& solution)> modes_by_rows;
  /// What `sparse` is shown by W, in the coordinates of the bodies, where it is solved.
  std::function<void(const BodyProblem& problem, const BodyFrictionOptions& options,
                     std::span<const double> warm_start, const BodyFrictionSolution& solution)>
      bodies;

  /// Whether problems of impulses are shown to someone.
  [[nodiscard]] bool any() const {
    return friction || least_distance || sparse || bodies || dissipation || lcp;
  }
};

/// Problems of so many contacts and fewer are to be solved to the last digits, see
/// accepted_residual(); in fallback steps, whose own error is that of their length, of so many.
/// (200 balls that have collapsed into a box, 450 to 550 contacts: a second by fallback steps takes
/// 60 s if those to 500 are, and fourteen problems stay unsolved, else 27 and none.)
inline constexpr int kFewContacts = 500, kFewInFallback = 100;

/// One solver by name. A model of another family than least distance still needs a least-distance
/// solver, for what it does without friction.
struct ContactSolver {
  // NOLINTNEXTLINE(google-explicit-constructor): a least-distance solver is one
  ContactSolver(LeastDistanceSolver solver)
      : name(solver.name), least_distance(std::move(solver)) {}

  std::string_view name;
  LeastDistanceSolver least_distance;
  /// Of family `friction`; of `dissipation` the last resort; else empty.
  decltype(FrictionSolver::solve) friction;
  decltype(SparseFrictionSolver::solve)
      sparse;                      ///< of the default of family `friction`, else empty
  ProblemWatch watch;              ///< whom it shows its problems: see watched()
  SolveDissipation dissipation;    ///< of family `dissipation`, else empty
  decltype(LcpSolver::solve) lcp;  ///< of family `pyramid`, else empty
  int edges = 8;                   ///< of a friction pyramid
  /// Scaled residual up to which a problem of family `friction` counts as solved; 0: as its size
  /// says, see accepted_residual().
  double accepted = 0.0;
  int few = kFewContacts;  ///< contacts up to which the first rule of accepted_residuals() holds
  /// Which solution of several; the default of family `friction` alone has a choice.
  FrictionOptions::Choice choice = FrictionOptions::Choice::automatic;
  bool thorough = false;  ///< tries all methods there are before it gives up a step's impulses
};

/// One rule of sizes: problems of so many contacts and fewer are to be solved to this.
struct AcceptedResidual {
  int contacts;
  double residual;
};
/// Ascending; the last holds for all sizes.
[[nodiscard]] std::span<const AcceptedResidual> accepted_residuals();

/// Of a problem of so many contacts, unless the solver names one.
[[nodiscard]] double accepted_residual(const ContactSolver& solver, int contacts);

/// Names of the solvers that serve a family, the default first.
[[nodiscard]] std::vector<std::string_view> solver_names(SolverFamily family);
[[nodiscard]] bool serves(SolverFamily family, std::string_view name);

/// @param name  empty: the default of the family
/// @throws std::invalid_argument  if the solver does not serve the family; the message names those
///                                that do
[[nodiscard]] ContactSolver make_contact_solver(SolverFamily family, std::string_view name);

/// The same solver, with every solve shown to `watch`, where that has a function for it.
[[nodiscard]] ContactSolver watched(ContactSolver solver, const ProblemWatch& watch);

}  // namespace pequod
