// Block Gauss–Seidel over the contacts of bodies, and its extrapolation.
#pragma once

#include <array>
#include <vector>

#include "contact/solvers/friction/bodies/body_problem.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// One sweep: each contact solved exactly (solve_contact_law), the bodies moved at once.
void sweep_bodies(const ScaledBodies& problem, VectorXd& rho, VectorXd& y);

/// Storage of extrapolate_sweeps(): the last changes of the sweeps' map and of what it gave.
struct AndersonHistory {
  static constexpr int kWindow = 6;
  std::array<VectorXd, kWindow> change, result;
  VectorXd now, last_change, last_swept, kept_y;

  void poison() {
    pequod::poison(now, last_change, last_swept, kept_y);
    for (VectorXd& x : change) pequod::poison(x);
    for (VectorXd& x : result) pequod::poison(x);
  }
};

/// Sweeps, every fourth followed by Anderson's extrapolation over the last six (Walker & Ni 2011;
/// periodic as Pratapa et al. 2016), projected on the cones; taken back where the next change is
/// more than twice the least. Plain sweeps are left to those that need them.
/// @param tolerance  the natural map at which they end
/// @return           sweeps done
int extrapolate_sweeps(const ScaledBodies& problem, int count, double tolerance,
                       AndersonHistory& history, VectorXd& rho, VectorXd& y);

/// Plain sweeps, the natural map looked at after every tenth.
int sweep_plainly(const ScaledBodies& problem, int count, double tolerance, VectorXd& rho,
                  VectorXd& y);

}  // namespace pequod
