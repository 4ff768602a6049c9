#pragma once

#include <Eigen/Dense>
#include <vector>

#include "contact/solvers/linear/poison.h"

namespace pequod {

/// Contacts with Coulomb friction in the coordinates of the motion: y⁺ = y + G r, and
/// u = Gᵀy⁺ − (c, 0, 0) and r satisfy Coulomb's law contact by contact (see FrictionProblem).
struct LoadFrictionProblem {
  Eigen::MatrixXd G;   ///< m×3n, contact by contact, normal first; no tangents where μ = 0
  Eigen::VectorXd y;   ///< m, without impulses
  Eigen::VectorXd c;   ///< n
  Eigen::VectorXd mu;  ///< n, ≥ 0; infinite: no slip
};

/// The problem with the entries of G that are not zero, and the units of its unknowns.
struct LoadScaled {
  int n = 0, m = 0;
  Eigen::VectorXd y, c, mu;
  /// Contact i moves the coordinates rows[begin[i]] … rows[begin[i + 1] − 1], by three entries of
  /// `blocks` each.
  std::vector<int> begin, rows;
  std::vector<double> blocks;

  double speed = 0.0;     ///< unit of u: the largest that a contact's bodies have without impulses
  Eigen::VectorXd rate;   ///< m, unit of y: `speed` of the point that a coordinate moves fastest
  Eigen::VectorXd force;  ///< n, unit of r: the load of the less loaded of its bodies
  Eigen::VectorXd load;   ///< m, unit of y⁺ − y − G r: all loads of a coordinate, or its unit

  /// u ← Gᵀy − c of contact i, three components.
  void speed_of(int i, const Eigen::VectorXd& at, double* u) const;
  /// out ← out + factor · G r of contact i.
  void add(int i, double factor, const double* r, Eigen::VectorXd& out) const;

  void poison() { pequod::poison(y, c, mu, begin, rows, blocks, rate, force, load); }
};

/// Everything but `force` and `load`.
void scale_by_speed(const LoadFrictionProblem& problem, LoadScaled& scaled);

/// `force` and `load` of impulses r that are about those sought.
void scale_by_loads(const Eigen::VectorXd& r, LoadScaled& scaled);

}  // namespace pequod
