#pragma once

#include <vector>

#include "contact/solvers/friction/friction_equations.h"
#include "contact/solvers/friction/loads/load_units.h"
#include "contact/solvers/linear/dense_lu.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Buffers of the method; no meaning from one call to the next.
struct LoadNewtonBuffers {
  VectorXd left, F, step_y, step_r, best_y, best_r, next_y, next_r;
  std::vector<double> blocks;           ///< 18 a contact: A, then B of δF = A δρ + B δû
  std::vector<double> response;         ///< 9 a contact: C of δρ = δρ₀ − C δû
  std::vector<ContactEquations> kinds;  ///< one a contact
  DenseLu lu;

  void poison() {
    pequod::poison(left, F, step_y, step_r, best_y, best_r, next_y, next_r, blocks, response, kinds,
                   lu);
  }
};

struct LoadNewtonSettings {
  double aim = 1e-14;  ///< of the loads: one more step is taken from there, to a rounding
  const VectorXd* centre = nullptr;  ///< 3n impulses c; null: none
};

struct LoadNewtonResult {
  double residual = NAN;  ///< of the y and r returned
  int iterations = 0;
};

/// Compliance ε of contacts, in units of the loads. With 1e-7 a rounding of u is 1e-9 of a load,
/// and contacts at the edges of their cones never settle; two light bodies that stick to each
/// other, and to nothing else, under 1e10 of their weight have 1e-10/(1/ε) of inertia beside their
/// contact.
inline constexpr double kLoadCompliance = 1e-5;

/// Semismooth Newton method on y − y₀ − P r = 0 and Alart & Curnier's equations of û + ε (ρ − ĉ)
/// (1991), in the units of `scaled`, with at most three halvings of a step against the worst of the
/// last six norms. Impulses are eliminated contact by contact, so that what is factored has as many
/// rows as there are coordinates.
/// @param y, r  in: where to start; out: the iterate of least residual
[[nodiscard]] LoadNewtonResult solve_load_newton(const LoadScaled& scaled,
                                                 const LoadNewtonSettings& settings,
                                                 LoadNewtonBuffers& buffers, VectorXd& y,
                                                 VectorXd& r);

}  // namespace pequod
