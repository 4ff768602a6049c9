#pragma once

#include "contact/solvers/friction/friction_problem.h"

namespace pequod {

// Equations F(ρ, û) = 0 of one contact in contact units, three components, for Newton's method.
// They hold where the law does. μ may be infinite.

enum class ContactEquations {
  open,    ///< F = ρ
  stick,   ///< F = û
  general  ///< δF = A δρ + B δû
};

/// The derivative, 3×3 each by rows; written only for `general`.
struct ContactDerivative {
  double* A;
  double* B;
};

/// Alart & Curnier (1991): open if a = ρ_n − û_n ≤ 0, else û_n = 0 and ρ_t the projection of
/// ρ_t − û_t on the disc of radius μa.
ContactEquations alart_curnier_equations(double mu, const double* rho, const double* u, double* F,
                                         ContactDerivative J);

/// The associated law: F = ρ − P_K(ρ − û).
ContactEquations natural_map_equations(double mu, const double* rho, const double* u, double* F,
                                       ContactDerivative J);

/// Alart & Curnier's with the mode given.
ContactEquations held_equations(FrictionMode mode, double mu, const double* rho, const double* u,
                                double* F, ContactDerivative J);

}  // namespace pequod
