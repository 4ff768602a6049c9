#pragma once

#include <Eigen/Dense>
#include <random>
#include <string>
#include <vector>

#include "contact/solvers/least_distance/least_distance.h"

namespace pequod::test {

/// Bodies in contact as matrices alone: min ½(v − v*)ᵀM(v − v*), J v = 0, N v ≥ c.
struct Contacts {
  std::string family;
  Eigen::MatrixXd M;  ///< m×m
  Eigen::MatrixXd N;  ///< n×m, normal rows
  Eigen::MatrixXd J;  ///< k×m, bilateral rows
  Eigen::VectorXd v;  ///< m, v*
  Eigen::VectorXd c;  ///< n
  double mass_ratio = 1;
  bool feasible = true;
};

/// A choice of what can go wrong: boxes with coplanar contacts, 1–256 on one to four bodies in a
/// stack, or quadrupeds with 4–12 rows; mass ratios to 10⁶; in half of the problems 30 % of the
/// rows repeated; at rest or falling; c = 0 or not; some pinched so that nothing fits.
/// @param nearly_repeated  repeated rows differ by 10⁻¹⁶ to 10⁻⁴, so v⁺ is badly conditioned
Contacts random_contacts(std::mt19937_64& random, bool nearly_repeated = false);

/// y = L v with M = LᵀL.
LeastDistanceProblem least_distance(const Contacts& contacts);

}  // namespace pequod::test
