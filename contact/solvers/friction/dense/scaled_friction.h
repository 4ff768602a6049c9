#pragma once

#include <Eigen/Dense>
#include <span>

#include "contact/solvers/friction/friction_measure.h"
#include "contact/solvers/friction/friction_problem.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/row_major.h"

namespace pequod {

/// A friction problem in contact units ρ = r/d, û = d u, where W has a diagonal of about one
/// whatever the masses. A contact has three components, or five with rolling: in a plane the
/// missing tangent is a decoupled row, and so are both tangents where μ = 0. A μ of no slip is
/// infinite here.
struct ScaledFriction {
  int n = 0;                                                    ///< contacts
  int stride = 3;                                               ///< components of a contact, 3 or 5
  bool associated = false, symmetric = false, no_slip = false;  ///< no_slip: at some contact
  double scale = 0;
  RowMajorMatrix W;            ///< rows() square
  Eigen::VectorXd q;           ///< rows()
  Eigen::VectorXd mu;          ///< n
  Eigen::VectorXd mu_rolling;  ///< n if stride is 5
  Eigen::VectorXd d;           ///< n
  double q_norm = 0;

  [[nodiscard]] int rows() const { return stride * n; }

  /// S = max(|q̂|, |ρ|, |û|, scale), 1 if that is zero.
  [[nodiscard]] double size(const Eigen::VectorXd& rho, const Eigen::VectorXd& u) const;

  /// u ← W ρ + q
  void apply(const Eigen::VectorXd& rho, Eigen::VectorXd& u) const;

  /// P_K at contact i, in place; where there is no slip an open contact carries nothing.
  void project(int i, double* p) const;

  /// μ|û_t| (and rolling), 0 if associated or without slip.
  [[nodiscard]] double shift(int i, const double* u) const;

  void poison() { pequod::poison(W, q, mu, mu_rolling, d); }
};

/// Converts; resizes only if the size changes.
/// @param decouple_frictionless  whether μ = 0 takes the tangents out
void scale_friction(const FrictionProblem& problem, ScaledFriction& scaled,
                    bool decouple_frictionless = true);

/// ρ of r; empty: P_K(−q̂).
void start_from(const ScaledFriction& scaled, int dimension, std::span<const double> r,
                Eigen::VectorXd& rho);

/// Writes r of ρ and measures it.
void finish(const FrictionProblem& problem, const ScaledFriction& scaled,
            const Eigen::VectorXd& rho, FrictionSolution& solution);

/// Residuals in the scaled problem, which its decoupled rows do not change.
FrictionResiduals measure(const ScaledFriction& scaled, const Eigen::VectorXd& rho,
                          const Eigen::VectorXd& u, FrictionMode* modes);

}  // namespace pequod
