#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "contact/solvers/linear/small_vector_operations.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Which blocks of six coordinates, those of a free body, are not zero in each column of a matrix
/// whose columns touch few bodies: products pass over the others. Columns of up to 48 coordinates
/// have no masks, there they cost more than they save.
class BlockMasks {
 public:
  using Word = std::uint64_t;

  /// Room for columns of m coordinates; allocates only if it is more than ever before.
  void reset(Index m, Index columns) {
    m_ = m;
    const auto blocks = static_cast<std::size_t>((m + kBlock - 1) / kBlock);
    words_ = m > kDense ? (blocks + kBits - 1) / kBits : 0;
    const std::size_t size = words_ * static_cast<std::size_t>(columns);
    if (masks_.size() < size) masks_.resize(size);
  }
  /// What orthogonalising leaves of a column where nothing is left, as a part of its length before.
  static constexpr double kRounding = 1e-15;

  [[nodiscard]] bool used() const { return words_ > 0; }
  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] Word* of(Index column) {
    return masks_.data() + static_cast<std::size_t>(column) * words_;
  }
  [[nodiscard]] const Word* of(Index column) const {
    return masks_.data() + static_cast<std::size_t>(column) * words_;
  }

  /// The blocks of x with an entry above `zero`.
  void find(const double* x, double zero, Word* mask) const {
    std::fill_n(mask, words_, 0);
    for (Index i = 0; i < m_; ++i)
      if (std::abs(x[i]) > zero) mask[word_of(i)] |= bit_of(i);
  }
  /// The same, and what is not above becomes zero.
  void drop(double* x, double zero, Word* mask) const {
    find(x, zero, mask);
    for (Index i = 0; i < m_; ++i)
      if ((mask[word_of(i)] & bit_of(i)) == 0) x[i] = 0.0;
  }
  void unite(const Word* mask, Word* into) const {
    for (std::size_t w = 0; w < words_; ++w) into[w] |= mask[w];
  }
  void copy(const Word* mask, Word* to) const { std::copy_n(mask, words_, to); }

  /// Calls visit(first, length) for the blocks of both masks.
  template <typename Visit>
  void for_common(const Word* a, const Word* b, Visit visit) const {
    for (std::size_t w = 0; w < words_; ++w)
      for (Word bits = a[w] & b[w]; bits != 0; bits &= bits - 1) {
        const auto block = static_cast<Index>(w * kBits) + std::countr_zero(bits);
        visit(kBlock * block, std::min(kBlock, m_ - kBlock * block));
      }
  }
  /// aᵀb over the blocks of both masks.
  [[nodiscard]] double dot_common(const double* a, const Word* mask_a, const double* b,
                                  const Word* mask_b) const {
    double sum = 0.0;
    for_common(mask_a, mask_b,
               [&](Index first, Index length) { sum += dot(a + first, b + first, length); });
    return sum;
  }
  /// One pass of Gram–Schmidt: x without its parts along `count` columns of a basis, the blocks of
  /// which the first masks tell. Blocks that only rounding of x before is left of become zero.
  /// @param length  of x
  /// @param taken   gets the parts added
  void take_off(const double* basis, Index stride, Index count, double length, double* x,
                Word* mask_x, double* taken) const {
    for (Index j = 0; j < count; ++j, basis += stride) {
      const double part = dot_common(basis, of(j), x, mask_x);
      if (part == 0.0) continue;
      taken[j] += part;
      add_column(-part, basis, of(j), x);
      unite(of(j), mask_x);
    }
    drop(x, kRounding * length, mask_x);
  }
  /// x ← x + f a, over the blocks of a.
  void add_column(double f, const double* a, const Word* mask_a, double* x) const {
    for_common(mask_a, mask_a,
               [&](Index first, Index length) { add_scaled(f, a + first, x + first, length); });
  }

 private:
  static constexpr Index kBlock = 6;
  static constexpr Index kDense = 48;
  static constexpr std::size_t kBits = 64;

  static std::size_t word_of(Index i) { return static_cast<std::size_t>(i / kBlock) / kBits; }
  static Word bit_of(Index i) { return Word{1} << (static_cast<std::size_t>(i / kBlock) % kBits); }

  Index m_ = 0;
  std::size_t words_ = 0;  // of a mask; 0: few coordinates, all are looked at
  std::vector<Word> masks_;
};

}  // namespace pequod
