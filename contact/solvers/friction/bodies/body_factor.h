// I + Gᵀ C G of bodies that touch: a sparse factor of 6 × 6 blocks.
#pragma once

#include <array>
#include <vector>

#include "contact/solvers/friction/bodies/body_problem.h"
#include "contact/solvers/linear/block_factor.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// I + GᵀCG, C block-diagonal, 3 × 3 a contact. Its symmetric part is positive definite however
/// redundant the contacts are, so it needs no pivoting between blocks.
class BodyFactor {
 public:
  /// The pairs of bodies that touch. Nothing is done where they are those of the last call.
  void analyse(const ScaledBodies& problem) {
    find_pairs(problem, pairs_);
    factor_.analyse(problem.bodies, pairs_, BlockKind::six);
  }
  /// @param C          9 numbers a contact, by rows
  /// @param symmetric  all blocks of C are: half the work
  void factorise(const ScaledBodies& problem, const std::vector<double>& C, bool symmetric);
  /// x ← A⁻¹ x, 6 × (bodies + 1); the last stays as it is.
  /// @param z  storage
  void solve(VectorXd& x, VectorXd& z) const;
  void poison() { pequod::poison(factor_); }

 private:
  void fill(const ScaledBodies& problem, const std::vector<double>& C, bool symmetric);

  BlockFactor<kBodyWidth> factor_;
  std::vector<std::array<int, 2>> pairs_;
};

}  // namespace pequod
