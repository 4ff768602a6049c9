// A sparse factor by blocks of bodies.
#pragma once

#include <array>
#include <vector>

#include "contact/solvers/linear/block_kernels.h"
#include "contact/solvers/linear/block_pattern.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// A = L D U of a matrix that has a block of width × width for each body and each pair that
/// touches, and needs no pivoting between blocks; bodies stand in the order of a BlockPattern. Sums
/// run over earlier bodies in a fixed order: the same bits at every run.
template <int Width>
class BlockFactor {
 public:
  static constexpr int kSide = block_side(Width);
  using Block = Eigen::Matrix<double, kSide, Width>;  ///< its last rows may be zeros

  /// @param pairs  of bodies that touch, see BlockPattern::find
  void analyse(int bodies, const std::vector<std::array<int, 2>>& pairs, BlockKind kind);
  /// All blocks of A zero. @param symmetric  A is: half the work
  void clear(bool symmetric);
  /// A_ii
  [[nodiscard]] Block& diagonal(int body) { return diagonal_[pattern_.place[body]]; }
  /// Of two bodies that touch: where their blocks are, and whether the first is that of the row.
  struct Pair {
    int at;
    bool first_below;
  };
  [[nodiscard]] Pair pair(int first, int second) const;
  /// A_ij, i below j, and, if A is not symmetric, A_jiᵀ.
  [[nodiscard]] Block& below(const Pair& pair) { return below_[pair.at]; }
  [[nodiscard]] Block& above(const Pair& pair) { return upper_[pair.at]; }
  /// A ← its factor.
  void factorise();

  [[nodiscard]] int bodies() const { return pattern_.bodies(); }
  /// The part of one body in the z of solve().
  [[nodiscard]] auto part(VectorXd& z, int body) const {
    return z.segment<kSide>(static_cast<Index>(kSide) * pattern_.place[body]);
  }
  /// z ← A⁻¹ z, a block's side for each body.
  void solve(VectorXd& z) const;
  void poison() { pequod::poison(below_, upper_, lower_, diagonal_); }

 private:
  static constexpr int kTogether = 4;  // columns eliminated at once

  [[nodiscard]] int last_alike(int k) const;
  void scale(int k);
  void subtract(int first, int last, int f);
  void eliminate(int first, int last);

  BlockPattern pattern_;
  bool symmetric_ = true;
  const BlockKernels* kernels_ = nullptr;
  // Of A, then (L D)_ik, and if it is not symmetric (D U)_kiᵀ at the same place; L_ik.
  std::vector<Block> below_, upper_, lower_;
  std::vector<Block> diagonal_;  // then its inverse
};

extern template class BlockFactor<6>;
extern template class BlockFactor<12>;

}  // namespace pequod
