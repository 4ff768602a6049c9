#pragma once

#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Contacts with Coulomb friction in contact space, u = W r + q: three components a contact, normal
/// first, then two tangents.
struct FrictionContacts {
  MatrixXd W;   ///< 3n×3n, response to impulses (1/kg) or forces
  VectorXd q;   ///< 3n, m/s or m/s², without them
  VectorXd mu;  ///< n, coefficient of friction ≥ 0, finite
};

/// Friction cones as pyramids of `edges` directions, as a linear complementarity problem. Unknowns:
/// n normal impulses, then the `edges` friction impulses of each contact, then n slip speeds λ:
///
///   0 ≤ r_n ⊥ u_n ≥ 0,  0 ≤ β_j ⊥ d_jᵀu_t + λ ≥ 0,  0 ≤ λ ⊥ μ r_n − Σβ_j ≥ 0,
///
/// d_j at the angle 2πj/edges from the first tangent. For q = N v this is Anitescu & Potra 1997: M
/// is copositive, there is always a solution, and no solution adds energy. With gap/h added to q_n
/// it is the time-stepping of Stewart & Trinkle 1996, where an open contact may come nearer by its
/// gap in the step.
/// @param edges  at least 2; an even number makes the pyramid symmetric
/// @return       n (edges + 2) rows
/// @throws std::invalid_argument  if the sizes do not fit together, there are too few edges, or a
///                                coefficient is negative or not finite
[[nodiscard]] LcpProblem pyramid_lcp(const FrictionContacts& contacts, int edges);

/// The impulses r, 3n in the order of W, of a solution z of pyramid_lcp.
[[nodiscard]] VectorXd pyramid_impulses(const VectorXd& z, Index contacts, int edges);

}  // namespace pequod
