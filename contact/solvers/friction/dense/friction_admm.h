#pragma once

#include "contact/solvers/friction/dense/scaled_friction.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Buffers of the alternating direction method; no meaning from one call to the next.
struct AdmmBuffers {
  MatrixXd matrix;
  Eigen::LLT<MatrixXd> symmetric;
  Eigen::PartialPivLU<MatrixXd> unsymmetric;
  VectorXd x, y, z, before, right, u, best;

  void poison() { pequod::poison(matrix, x, y, z, before, right, u, best); }
};

/// Alternating directions (Boyd et al. 2011) with De Saxcé's shift:
///   x = (W + (p + η)I)⁻¹(z + p y + η x − q − μ|z_t|e_n),  y = P_K(x − z/p),  z ← z − p (x − y);
/// p doubles or halves every ten steps when the residuals of x = y and of y differ tenfold. W
/// itself is factorised if it is not symmetric: its symmetric half stalls at the asymmetry. Returns
/// in ρ the y of least natural map among those looked at, every tenth.
/// @param steps      at most
/// @param tolerance  ends where the natural map is at most this times S
/// @return           steps
int solve_admm(const ScaledFriction& problem, int steps, double tolerance, AdmmBuffers& buffers,
               VectorXd& rho);

}  // namespace pequod
