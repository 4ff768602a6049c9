// Block Gauss–Seidel over the contacts of bodies, and its extrapolation.
#pragma once

#include <array>
#include <vector>

#include "contact/solvers/friction/bodies/body_problem.h"

namespace pequod {

/// One sweep: each contact solved exactly (solve_contact_law), the bodies moved at once.
void sweep_bodies(const ScaledBodies& problem, Eigen::VectorXd& rho, Eigen::VectorXd& y);

/// Storage of extrapolate_sweeps(): the last changes of the sweeps' map and of what it gave.
struct AndersonHistory {
  static constexpr int kWindow = 6;
  std::array<Eigen::VectorXd, kWindow> change, result;
  Eigen::VectorXd now, last_change, last_swept, kept_y;

  void poison() {
    pequod::poison(now, last_change, last_swept, kept_y);
    for (Eigen::VectorXd& x : change) pequod::poison(x);
    for (Eigen::VectorXd& x : result) pequod::poison(x);
  }
};

/// Sweeps, every fourth followed by Anderson's extrapolation over the last six (Walker & Ni 2011;
/// periodic as Pratapa et al. 2016), projected on the cones; taken back where the next change is
/// more than twice the least. Plain sweeps are left to those that need them.
/// @param tolerance  the natural map at which they end
/// @return           sweeps done
int extrapolate_sweeps(const ScaledBodies& problem, int count, double tolerance,
                       AndersonHistory& history, Eigen::VectorXd& rho, Eigen::VectorXd& y);

/// Plain sweeps, the natural map looked at after every tenth.
int sweep_plainly(const ScaledBodies& problem, int count, double tolerance, Eigen::VectorXd& rho,
                  Eigen::VectorXd& y);

}  // namespace pequod
