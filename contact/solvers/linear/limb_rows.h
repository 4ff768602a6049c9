// Equalities of contacts at the ends of limbs, by blocks: as of a robot on its feet.
#pragma once

#include <array>
#include <vector>

#include "contact/solvers/linear/lanes.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Rows of contacts of which each lies on a limb of its own, and has its three rows along three
/// coordinates of that limb and the six of the body that all limbs are on; four contacts abreast.
/// Row d of a contact is [B(:, d); D(:, d)], B of the body and D of the limb. Where the D are well
/// conditioned the motion of the body decides that of the limbs, and what all of them make of it is
/// one system of six: far less than a basis of all rows, for the same answer.
class LimbRows {
 public:
  static constexpr int kBody = 6, kOwn = 3;  ///< coordinates; the body's are the first of all
  static constexpr int kBlock = kBody * kOwn, kSquare = kOwn * kOwn;

  /// Numbers of up to four contacts, entry by entry of the block, row-major.
  template <std::size_t N>
  using Entries = std::array<std::array<double, kLanes>, N>;
  struct Four {
    alignas(32) Entries<kBlock> B;   ///< body × rows; zero of contacts that are not there
    alignas(32) Entries<kSquare> D;  ///< own × rows; the identity of these
    std::array<int, kLanes> first;   ///< of the own coordinates
    // Written by factor().
    alignas(32) Entries<kSquare> inverse;  ///< D⁻¹
    alignas(32) Entries<kBlock> W;         ///< B D⁻¹
  };

  void clear() { count_ = 0, factored_ = false; }
  /// Room for n contacts. @return to be filled in but for what factor() writes
  std::vector<Four>& resize(int n);
  [[nodiscard]] int contacts() const { return count_; }

  /// Factors I + Σ W Wᵀ. @return false if rows of some contact come near combinations of its others
  /// along its own coordinates, so that nothing is known of what the contacts hold
  bool factor();
  /// Since rows were filled in.
  [[nodiscard]] bool factored() const { return factored_; }

  /// As HeldRows::solve(), all rows accepted: nearest y⁺ to y at which row r is e(r), and the
  /// multipliers f. The order of rows is: first ones of all contacts, then both others of each.
  void solve(const VectorXd& e, VectorXd& y, VectorXd& f) const;

  /// How well `after`, with multipliers f, is the nearest point to `before` where all rows are
  /// zero: Euclidean norms over the contacts, at the coordinates of the body and of their limbs.
  struct Residuals {
    double speed = 0.0;  ///< of the rows, each over its length
    double work = 0.0;   ///< of the first rows, each times its multiplier
    double left = 0.0;   ///< before + G f − after
  };
  [[nodiscard]] Residuals measure(const VectorXd& before, const VectorXd& after,
                                  const VectorXd& f) const;

 private:
  std::vector<Four> fours_;
  int count_ = 0;
  bool factored_ = false;
  std::array<double, kBody*(kBody + 1) / 2> L_{};  // row-major, inverses on its diagonal
};

}  // namespace pequod
