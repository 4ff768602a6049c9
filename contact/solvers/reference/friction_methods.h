#pragma once

#include <span>
#include <string_view>

#include "contact/solvers/friction/friction_problem.h"

namespace pequod {

/// A single method, for comparison; arguments as ContactsMethod says. A law that it cannot serve
/// ends in `failed` with a reason.
struct FrictionMethod {
  std::string_view name;
  std::string_view description;  ///< one line
  /// Why a problem is refused; null: it is not.
  const char* (*refuses)(const FrictionProblem& problem);
  /// From b.rho to b.rho, where that is the warm start or P_K(−q̂). @return the iterations
  int (*iterate)(const FrictionOptions& options, bool warm, FrictionWorkspace& b);

  void operator()(const FrictionProblem& problem, const FrictionOptions& options,
                  std::span<const double> warm_start, FrictionWorkspace& workspace,
                  FrictionSolution& solution) const;
};

/// By name, and how many iterations each makes by default:
///
///   semismooth-newton  friction_newton.h, then exact modes; 50. Not for rolling
///   nsgs               block Gauss–Seidel, exact at each contact; 2000 sweeps. Not for rolling nor
///                      the associated law
///   pgs                block Gauss–Seidel with projected steps; 2000 sweeps. For all laws
///   admm               alternating directions (friction_admm.h); 2000. For all laws
///   proximal           the limit of vanishing compliance (friction_newton.h), then Newton and
///                      exact modes; 30 Newton steps each. Not for rolling. The warm start is where
///                      the first compliance begins
///   interior-point     cone_interior_point.h for the associated law alone, W symmetric, then
///                      Newton; 50. Not for rolling. It allocates, and looks at no warm start:
///                      interior points forget it
[[nodiscard]] std::span<const FrictionMethod> friction_methods();

}  // namespace pequod
