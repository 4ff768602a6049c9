// Two motions of bodies that touch, as interior point methods ask for them: a sparse factor of
// 12 × 12 blocks.
#pragma once

#include <array>
#include <vector>

#include "contact/solvers/friction/bodies/body_problem.h"
#include "contact/solvers/linear/block_factor.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// The matrix [1 + NᵀΛN, −1; −1, −GᵀΓG] of two motions (a, v) of all bodies: G the rows of the
/// contacts, N those along their normals, Λ ≥ 0 a number and Γ ≥ 0 a symmetric 3 × 3 block a
/// contact. It is quasi-definite, so it has a factor L D Lᵀ in any order of the bodies (Vanderbei
/// 1995), by blocks that hold both motions of one. Where no normal turns a body, as of balls, that
/// half of a is known from that of v, and blocks are 9 wide. Sums run over earlier bodies
/// in a fixed order: the same bits at every run.
class BodySaddle {
 public:
  /// The pairs of bodies that touch, and whether normals turn one.
  void analyse(const ScaledBodies& problem);
  /// @param along  Λ, one a contact
  /// @param gives  Γ, 9 a contact, by rows
  void factorise(const ScaledBodies& problem, const std::vector<double>& along,
                 const std::vector<double>& gives);
  /// (a, v) ← K⁻¹ (a, v), 6 × (bodies + 1) each; the last body, the world, stays as it is.
  void solve(VectorXd& a, VectorXd& v);
  void poison() { pequod::poison(factor_, z_); }

 private:
  /// Of a block: the half of a that normals feel, v, the other half of a.
  static constexpr int kWidth = 2 * kBodyWidth, kNarrow = kWidth - 3;
  using Block = BlockFactor<kWidth>::Block;

  void fill(const ScaledBodies& problem, const std::vector<double>& along,
            const std::vector<double>& gives);
  void start_blocks();
  void add_contact(double along, const double* gives, const double* first, const double* second,
                   Block& to) const;

  BlockFactor<kWidth> factor_;
  std::vector<std::array<int, 2>> pairs_;
  bool narrow_ = false;  // no normal feels one half of the coordinates,
  int unfelt_ = 0;       // which starts here
  VectorXd z_;
};

}  // namespace pequod
