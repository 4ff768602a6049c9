// Newton's method on Alart & Curnier's equations, solved in the coordinates of the bodies.
#pragma once

#include <vector>

#include "contact/solvers/friction/bodies/body_factor.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

struct BodyNewtonSettings {
  int steps = 6;
  double tolerance = 1e-10;  ///< of the natural map, of the compliant problem if there is one
  double compliance = 0.0;   ///< ε: û + ε(ρ − centre) in place of û
  const VectorXd* centre{};  ///< if the compliance is not zero
};

/// Storage.
struct BodyNewtonBuffers {
  BodyFactor factor;
  std::vector<double> C;
  VectorXd F, own, step, right, ordered, tried, tried_y, best;

  void poison() { pequod::poison(factor, C, F, own, step, right, ordered, tried, tried_y, best); }
};

struct BodyNewtonResult {
  bool converged = false;
  int factors = 0;
};

/// Each step solves A δρ + B(δû + εδρ) = −F contact by contact for δρ = −(A + εB)⁻¹F − C Gδy,
/// C = (A + εB)⁻¹B, and (I + GᵀCG)δy = −Gᵀ(A + εB)⁻¹F (Alart & Curnier 1991, in the form of the
/// bodies). At most eight halvings against the worst of the last six |F|; it gives up after eight
/// steps that do not halve the least. ρ is the last iterate if it converged, else the best by |F|.
[[nodiscard]] BodyNewtonResult solve_body_newton(const ScaledBodies& problem,
                                                 const BodyNewtonSettings& settings,
                                                 BodyNewtonBuffers& buffers, VectorXd& rho,
                                                 VectorXd& y);

}  // namespace pequod
