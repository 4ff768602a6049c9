// The friction cone, for second opinions on what solvers make of it.
#pragma once

#include <Eigen/Core>

namespace pequod::test {

/// Projection on {r : |r_t| ≤ μ r_n}, r = [r_n; r_t].
inline Eigen::VectorXd onto_cone(const Eigen::VectorXd& r, double mu) {
  const Eigen::VectorXd t = r.tail(r.size() - 1);
  const double length = t.norm();
  if (length <= mu * r[0]) return r;
  if (mu * length <= -r[0]) return Eigen::VectorXd::Zero(r.size());
  const double normal = (r[0] + mu * length) / (1.0 + mu * mu);
  Eigen::VectorXd result(r.size());
  result << normal, mu * normal / length * t;
  return result;
}

}  // namespace pequod::test
