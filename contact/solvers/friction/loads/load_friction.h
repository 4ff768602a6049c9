#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "contact/solvers/friction/friction_problem.h"
#include "contact/solvers/friction/loads/bounded_friction.h"
#include "contact/solvers/friction/loads/load_newton.h"
#include "contact/solvers/friction/loads/load_units.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

struct LoadFrictionSolution {
  bool solved = false;              ///< if not, nothing else is of use
  VectorXd r;                       ///< 3n, in the cones
  VectorXd y;                       ///< m, y⁺; known to a rounding of each body's own speed
  std::vector<FrictionMode> modes;  ///< n
  double residual = NAN;            ///< |F| in units of the loads, see solve_load_newton()
  int iterations = 0;               ///< of both methods, all stages
  std::string_view method;  ///< "warm": from the guess; "bounded": from friction of given bounds
};

/// Buffers; they carry no meaning.
struct LoadFrictionWorkspace {
  LoadScaled scaled;
  LoadNewtonBuffers newton;
  BoundedBuffers bounded;
  VectorXd y, r, bounds, units, centre;

  void poison() { pequod::poison(scaled, newton, bounded, y, r, bounds, units, centre); }
};

/// Coulomb's law for bodies whose masses differ by far, in the coordinates y of their motion.
///
/// W = GᵀG of a heavy body on a light one keeps 1/R of its entries for the mass of the heavy one,
/// so methods on W lose as many digits, and methods with compliance in units of W crawl. Here
/// velocities and impulses are unknowns side by side, each in its own unit: an impulse in that of
/// the load of the lighter body, a row of the momentum in that of its loads. In these units the
/// equations are well-conditioned whatever the masses.
///
/// First the modes, at a compliance of 1e-5: Newton's method from the guess; if that does not end,
/// or not at a solution, as where a light body between two heavy ones changes the one it sticks to,
/// friction with given bounds, which is convex, and Newton's method from there, with bounds of the
/// last normal impulses in turn. Then the proximal method, which makes impulses the centre of the
/// compliance. Where several distributions of load solve the problem it is so the one of least sum
/// of squares, in its units, whatever the guess.
/// @param guess  3n impulses, or empty: none
void solve_load_friction(const LoadFrictionProblem& problem, std::span<const double> guess,
                         LoadFrictionWorkspace& workspace, LoadFrictionSolution& solution);

}  // namespace pequod
