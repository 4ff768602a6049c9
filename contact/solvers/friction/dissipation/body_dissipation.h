// Most dissipation of many contacts between bodies.
#pragma once

#include <span>

#include "contact/solvers/friction/dissipation/body_saddle.h"
#include "contact/solvers/friction/dissipation/dissipation_point.h"
#include "contact/solvers/friction/dissipation/maximum_dissipation.h"
#include "contact/solvers/linear/vectors.h"
#include "contact/solvers/quadratic/cone_interior_point.h"

namespace pequod {

/// Storage.
struct BodyDissipationWorkspace {
  ScaledBodies problem;
  ConeRows rows;
  ConeIterates iterates;
  ConePoint from, kept;
  BodySaddle saddle;
  std::vector<double> along, gives;  // of the contacts, for the saddle
  VectorXd square;                   // Θ² of the linear rows
  VectorXd sum, by_sum;              // the row of the bound on the sum, and what it alone does
  VectorXd right, asked, x, step, above, below;
  VectorXd a, v, motion, rho, first, y, first_y;

  void poison() {
    pequod::poison(problem, rows, iterates, from, kept, saddle, along, gives, square, sum, by_sum,
                   right, asked, x, step, above, below, a, v, motion, rho, first, y, first_y);
  }
};

/// Drumwright & Shell's model (maximum_dissipation.h, without a width) in the coordinates of the
/// bodies, where W is never formed. The interior point method asks for two motions of the bodies,
/// a = Gᵀδρ, and v = a + Nᵀw with the multipliers w of N y ≥ 0; contacts are inverted one by one,
/// and what is left is BodySaddle.
///
/// Whatever it ends on: r in the cones, and ½|y|² no more than with the impulses of phase I.
/// @param normal  n, N·s: impulses of phase I (QP 3)
/// @param names   of the contacts in `point`; empty: no point
/// @param point   where to start, if it is set, as after fewer contacts; then where to start with
///                more
/// @return        false if a contact has no bound on its friction, which has no cone
[[nodiscard]] bool solve_body_dissipation(const BodyProblem& problem, const VectorXd& normal,
                                          const MaximumDissipationOptions& options,
                                          std::span<const int> names, DissipationPoint& point,
                                          BodyDissipationWorkspace& workspace,
                                          MaximumDissipationSolution& solution);

}  // namespace pequod
