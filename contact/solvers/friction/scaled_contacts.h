#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "contact/solvers/friction/friction_problem.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// A friction problem in contact units ρ = r/d, û = d u, where W has a diagonal of about one
/// whatever the masses, without its matrix. A contact has three components, or five with rolling:
/// in a plane the missing tangent is a decoupled row, and so are both tangents where μ = 0. A μ of
/// no slip is infinite here.
struct ScaledContacts {
  int n = 0;       ///< contacts
  int stride = 3;  ///< components of a contact, 3 or 5
  bool associated = false;
  double scale = 0, q_norm = 0;
  VectorXd q;           ///< rows()
  VectorXd mu;          ///< n
  VectorXd mu_rolling;  ///< n if stride is 5
  VectorXd d;           ///< n

  [[nodiscard]] int rows() const { return stride * n; }

  /// S = max(|q̂|, |ρ|, |û|, scale), 1 if that is zero.
  [[nodiscard]] double size(const VectorXd& rho, const VectorXd& u) const;

  /// P_K at contact i, in place; where there is no slip an open contact carries nothing.
  void project(int i, double* p) const;

  /// μ|û_t| (and rolling), 0 if associated or without slip.
  [[nodiscard]] double shift(int i, const double* u) const;

  /// |ρ − P_K(ρ − û − shift)|/S
  [[nodiscard]] double natural_map(const VectorXd& rho, const VectorXd& u) const;

  void poison() { pequod::poison(q, mu, mu_rolling, d); }
};

/// All but q of a problem.
template <class Problem>
void scale_contacts(const Problem& problem, ScaledContacts& scaled) {
  scaled.n = static_cast<int>(problem.mu.size());
  scaled.stride = std::max(3, problem.dimension);
  scaled.associated = problem.associated;
  scaled.scale = problem.scale;
  scaled.mu = (problem.mu.array() < kNoSlipFriction)
                  .select(problem.mu, std::numeric_limits<double>::infinity());
  if (problem.dimension == 5) scaled.mu_rolling = problem.mu_rolling;
  scaled.d.resize(scaled.n);
  for (int i = 0; i < scaled.n; ++i) scaled.d[i] = contact_unit(problem, i);
}

/// ρ of r; empty: P_K(−q̂).
/// @param dimension  components of a contact in r
void start_from(const ScaledContacts& scaled, int dimension, std::span<const double> r,
                VectorXd& rho);

/// r of ρ.
void unscale(const ScaledContacts& scaled, int dimension, const VectorXd& rho, VectorXd& r);

/// Writes r of ρ and measures it.
template <class Problem>
void finish(const Problem& problem, const ScaledContacts& scaled, const VectorXd& rho,
            FrictionSolution& solution) {
  solution.several = false;  // as far as is known
  unscale(scaled, problem.dimension, rho, solution.r);
  measure(problem, solution);
}

/// The natural map at ρ, û = W ρ + q left in `u`.
template <class Scaled>
double natural_residual(const Scaled& scaled, const VectorXd& rho, VectorXd& u) {
  scaled.apply(rho, u);
  return scaled.natural_map(rho, u);
}

}  // namespace pequod
