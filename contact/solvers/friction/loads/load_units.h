#pragma once

#include <vector>

#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/row_major.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Contacts with Coulomb friction in the coordinates of the motion: y⁺ = y + G r, and
/// u = Gᵀy⁺ − c and r satisfy Coulomb's law contact by contact (see FrictionProblem).
struct LoadFrictionProblem {
  MatrixXd G;   ///< m×3n, contact by contact, normal first; no tangents where μ = 0
  MatrixXd P;   ///< m×3n, in place of G in y⁺ = y + P r; empty: G. A contact that slides
                ///< along a known d pushes along n − μ d, one of no friction here
  VectorXd y;   ///< m, without impulses
  VectorXd c;   ///< 3n; its tangents, of accelerations of what turns, zero of velocities
  VectorXd mu;  ///< n, ≥ 0; infinite: no slip
};

/// The problem with the entries of G that are not zero, and the units of its unknowns.
struct LoadScaled {
  int n = 0, m = 0;
  VectorXd y, c, mu;
  /// Contact i moves the coordinates rows[begin[i]] … rows[begin[i + 1] − 1], by three entries of
  /// `blocks` each, and its impulses by those of `pushes`.
  std::vector<int> begin, rows;
  std::vector<double> blocks, pushes;

  double speed = 0.0;  ///< unit of u: the largest that a contact's bodies have without impulses
  VectorXd rate;       ///< m, unit of y: `speed` of the point that a coordinate moves fastest
  VectorXd force;      ///< n, unit of r: the load of the less loaded of its bodies
  VectorXd load;       ///< m, unit of y⁺ − y − P r: all loads of a coordinate, or its unit

  /// u ← Gᵀy − c of contact i, three components.
  void speed_of(int i, const VectorXd& at, double* u) const;
  /// out ← out + factor · P r of contact i.
  void add(int i, double factor, const double* r, VectorXd& out) const;

  void poison() { pequod::poison(y, c, mu, begin, rows, blocks, pushes, rate, force, load); }
};

/// Everything but `force` and `load`.
void scale_by_speed(const LoadFrictionProblem& problem, LoadScaled& scaled);

/// `force` and `load` of impulses r that are about those sought.
void scale_by_loads(const VectorXd& r, LoadScaled& scaled);

}  // namespace pequod
