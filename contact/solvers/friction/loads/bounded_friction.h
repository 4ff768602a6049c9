#pragma once

#include <vector>

#include "contact/solvers/friction/loads/load_units.h"
#include "contact/solvers/linear/dense_lu.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Buffers of the method; no meaning from one call to the next.
struct BoundedBuffers {
  VectorXd free, slope, step, next, r, scale;
  std::vector<double> blocks;  ///< 9 a contact: −∂r/∂u
  DenseLu lu;

  void poison() { pequod::poison(free, slope, step, next, r, scale, blocks, lu); }
};

/// Compliant contacts whose friction has given bounds (Tresca's law), a convex problem:
///
///   y = y₀ + (P − G) r̄ + G r(Gᵀy − c),  r_n = k max(0, −u_n),  r_t = −k u_t, cut at |r_t| = b,
///
/// with k a unit of r over ε units of u, and the friction of contacts that slide along a known
/// direction, (P − G) r̄, given too. Newton's method with a search for the zero of the slope
/// along each step: a light body that slides on two heavy ones gets a step longer by their mass
/// ratio, and halves the time it takes to stick in the logarithm.
/// @param bounds  n, b, ≥ 0
/// @param given   3n, r̄
/// @param y       in: where to start; out: the solution, or what 40 steps lead to
/// @param r       3n, its impulses
/// @return        steps
int solve_bounded_friction(const LoadScaled& scaled, const VectorXd& bounds, const VectorXd& given,
                           double compliance, BoundedBuffers& buffers, VectorXd& y, VectorXd& r);

}  // namespace pequod
