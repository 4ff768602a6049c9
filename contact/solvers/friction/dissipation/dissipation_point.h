// Where the interior point method of QP 1 goes on when contacts are added to its problem.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "contact/solvers/quadratic/cone_interior_point.h"

namespace pequod {

/// An iterate well inside of all cones, contact by contact, in contact units.
struct DissipationPoint {
  struct Contact {
    Eigen::Vector3d rho = Eigen::Vector3d::Zero();
    double slack = 0.0, multiplier = 0.0;  ///< of û_n ≥ 0; 0: the contact has had no iterate
    /// Of the cone; without friction, of ρ_n ≥ 0 in their first entries.
    Eigen::Vector3d cone_slack = Eigen::Vector3d::Zero(), cone_multiplier = Eigen::Vector3d::Zero();
  };
  std::vector<Contact> contacts;                 ///< by the names of contacts
  double sum_slack = 0.0, sum_multiplier = 0.0;  ///< of the bound on the sum; 0: no iterate yet

  /// None yet, of so many contacts.
  void reset(int count) {
    contacts.assign(count, {});
    sum_slack = sum_multiplier = 0.0;
  }
  [[nodiscard]] bool is_set() const { return sum_multiplier > 0.0; }
};

/// at ← the point, in the rows of a problem (body_dissipation.cpp); a contact without an iterate
/// begins with slacks and multipliers as large as those of the others are in the mean.
/// @param names  of the problem's contacts
void take_up(const DissipationPoint& point, std::span<const int> names, const ConeRows& rows,
             ConePoint& at);
/// point ← what is at hand of the problem's contacts
void keep(const ConePoint& at, std::span<const int> names, const ConeRows& rows,
          DissipationPoint& point);

}  // namespace pequod
