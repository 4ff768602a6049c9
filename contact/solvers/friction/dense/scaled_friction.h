#pragma once

#include <array>

#include "contact/solvers/friction/friction_measure.h"
#include "contact/solvers/friction/friction_problem.h"
#include "contact/solvers/friction/scaled_contacts.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/row_major.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// The same with a dense matrix.
struct ScaledFriction : ScaledContacts {
  bool symmetric = false, no_slip = false;  ///< no_slip: at some contact
  RowMajorMatrix W;                         ///< rows() square

  /// u ← û at contact i
  void velocity(int i, const double* rho, double* u) const;
  /// W of contact i alone, of its normal and tangents, by rows.
  [[nodiscard]] std::array<double, 9> own(int i) const;

  /// u ← W ρ + q
  void apply(const VectorXd& rho, VectorXd& u) const;

  void poison() {
    ScaledContacts::poison();
    pequod::poison(W);
  }
};

/// Converts; resizes only if the size changes.
/// @param decouple_frictionless  whether μ = 0 takes the tangents out
void scale_friction(const FrictionProblem& problem, ScaledFriction& scaled,
                    bool decouple_frictionless = true);

/// Residuals in the scaled problem, which its decoupled rows do not change.
FrictionResiduals measure(const ScaledFriction& scaled, const VectorXd& rho, const VectorXd& u,
                          FrictionMode* modes);

}  // namespace pequod
