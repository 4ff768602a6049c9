// Where a sparse factor by blocks of bodies has blocks.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace pequod {

/// The order in which bodies are eliminated and the blocks of L below the diagonal, column by
/// column, rows ascending. Rows and columns are places in the ordering.
struct BlockPattern {
  std::vector<int> place;         ///< of each body
  std::vector<int> column_start;  ///< bodies + 1
  std::vector<int> row;           ///< of each block

  [[nodiscard]] int bodies() const { return static_cast<int>(place.size()); }
  /// The index of a block that there is.
  [[nodiscard]] int find(int row_place, int column_place) const;
};

/// In an approximate minimum degree ordering (Amestoy, Davis & Duff 1996).
/// @param pairs  of bodies, each pair once
[[nodiscard]] BlockPattern find_block_pattern(int bodies,
                                              const std::vector<std::array<int, 2>>& pairs);

}  // namespace pequod
