// I + Gᵀ C G of bodies that touch: a sparse factor of 6 × 6 blocks.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "contact/solvers/friction/block_pattern.h"
#include "contact/solvers/friction/body_problem.h"

namespace pequod {

/// A = I + GᵀCG = L D U by blocks of bodies, C block-diagonal, 3 × 3 a contact. Its symmetric part
/// is positive definite however redundant the contacts are, so it needs no pivoting between blocks;
/// bodies stand in the order of a BlockPattern. Sums run over earlier bodies in a fixed order: the
/// same bits at every run.
class BodyFactor {
 public:
  /// The pairs of bodies that touch. Nothing is done where they are those of the last call.
  void analyse(const ScaledBodies& problem);
  /// @param C          9 numbers a contact, by rows
  /// @param symmetric  all blocks of C are: half the work
  void factorise(const ScaledBodies& problem, const std::vector<double>& C, bool symmetric);
  /// x ← A⁻¹ x, 6 × (bodies + 1); the last stays as it is.
  /// @param z  storage
  void solve(Eigen::VectorXd& x, Eigen::VectorXd& z) const;
  void poison() { pequod::poison(upper_, lower_, diagonal_); }

 private:
  using Block = Eigen::Matrix<double, kBodyWidth, kBodyWidth>;

  void fill(const ScaledBodies& problem, const std::vector<double>& C, bool symmetric);

  BlockPattern pattern_;
  std::vector<Block> lower_, upper_;  // L_ik and, at the same place, (D U)_ki
  std::vector<Block> diagonal_;       // then its inverse
};

}  // namespace pequod
