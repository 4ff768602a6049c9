// Coulomb friction of many contacts between bodies: a chain of methods, good at any time.
#pragma once

#include <span>
#include <string_view>

#include "contact/solvers/friction/bodies/body_newton.h"
#include "contact/solvers/friction/bodies/body_rest.h"
#include "contact/solvers/friction/bodies/body_sweeps.h"
#include "contact/solvers/friction/friction_problem.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

struct BodyFrictionOptions {
  double tolerance = 1e-8;  ///< of the natural map, in contact units, relative
  double enough = 0.0;      ///< the same: the late stages, which are dear, end with this
  int sweeps = 3000;        ///< at most, of all stages together
  int factors = 1200;       ///< the same
  /// From so many contacts on in motion factors lead nowhere: sweeps alone.
  int most_factored = 1000;
};

struct BodyFrictionSolution {
  bool converged = false;           ///< the natural map is no more than what is accepted
  double accepted = 0.0;            ///< of it: the tolerance, or what is enough
  VectorXd r;                       ///< 3 × contacts, N·s, in the cones
  VectorXd y;                       ///< 6 × bodies: y + Jᵀ r of the problem
  std::vector<FrictionMode> modes;  ///< contacts
  BodyResidual residual;            ///< of r and y
  int sweeps = 0, factors = 0;
  std::string_view stage;  ///< that found r: "warm", "rest", "sweeps", "newton", "path", "plain"
  bool scaled = false;     ///< the best iterate gained energy, and was made smaller
};

/// Storage.
struct BodyFrictionWorkspace {
  ScaledBodies problem;
  AndersonHistory history;
  BodyNewtonBuffers newton;
  BodyRestBuffers rest;
  VectorXd rho, y, best, best_y, plain, plain_y, centre, way, projected, projected_y;

  void poison() {
    pequod::poison(problem, history, newton, rest, rho, y, best, best_y, plain, plain_y, centre,
                   way, projected, projected_y);
  }
};

/// Solves for the impulses of many contacts, stage after stage from the best iterate so far until
/// the tolerance is met or the budget, in sweeps and factors, is spent: the warm start itself;
/// rest, where it leaves bodies nearly so (find_rest()); 20 extrapolated sweeps; six steps of
/// Newton's method; rest from where they end; a path of steps of the proximal point method, of
/// compliances that fall and rise as Newton's method solves them, each begun where the last leads
/// (Rockafellar 1976; Li, Sun & Toh 2018); then in turn plain sweeps from their own last iterate,
/// Newton's method, and a short path, the first from zero, three times as many sweeps each round.
///
/// Whatever it ends on: r in the cones, y with each impulse equal and opposite, and ½|y|² no more
/// than before if no contact is asked to open (b ≥ 0): what gains is scaled down.
/// @param warm_start  r of the same contacts; empty: none
void solve_body_friction(const BodyProblem& problem, const BodyFrictionOptions& options,
                         std::span<const double> warm_start, BodyFrictionWorkspace& workspace,
                         BodyFrictionSolution& solution);

}  // namespace pequod
