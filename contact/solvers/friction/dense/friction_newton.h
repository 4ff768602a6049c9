#pragma once

#include <Eigen/Dense>
#include <vector>

#include "contact/solvers/friction/dense/scaled_friction.h"
#include "contact/solvers/friction/friction_equations.h"
#include "contact/solvers/linear/poison.h"

namespace pequod {

/// Buffers of the semismooth Newton method; no meaning from one call to the next.
struct NewtonBuffers {
  Eigen::VectorXd u, F, step, next, best;
  std::vector<double> matrix;           ///< rows of [J | −F]
  std::vector<double> blocks;           ///< 18 a contact: A, then B of δF = A δρ + B δû
  std::vector<ContactEquations> kinds;  ///< one a contact
  std::vector<int> active;              ///< contacts that are not open

  void poison() { pequod::poison(u, F, step, next, best, matrix, blocks, kinds, active); }
};

struct NewtonSettings {
  int iterations = 20;
  double tolerance = 1e-12;  ///< ends where |F| is at most this times S
  /// Added to the diagonal of W in the Newton matrix alone: W is singular as a rule.
  double shift = 1e-8;
  /// Compliance: û = W ρ + q + ε (ρ − centre); with it no shift is needed.
  double compliance = 0;
  const Eigen::VectorXd* centre = nullptr;
  const FrictionMode* held = nullptr;  ///< modes that stay as they are; null: found on the way
};

struct NewtonResult {
  bool converged = false;
  int iterations = 0;
  double residual = NAN;  ///< |F|/S of the ρ returned
};

/// Semismooth Newton method on Alart & Curnier's equations (1991), or for the associated law on the
/// natural map, with at most three halvings of a step against the worst of the last six norms.
/// Returns in ρ the iterate of least |F|.
NewtonResult solve_newton(const ScaledFriction& problem, const NewtonSettings& settings,
                          NewtonBuffers& buffers, Eigen::VectorXd& rho);

}  // namespace pequod
