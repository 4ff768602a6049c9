// Where a sparse factor by blocks, one for each body, has blocks.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace pequod {

/// The order in which bodies are eliminated, an approximate minimum degree ordering (Amestoy, Davis
/// & Duff 1996), and the blocks of L below the diagonal, column by column, rows ascending. Rows and
/// columns are places in the ordering.
class BlockPattern {
 public:
  std::vector<int> place;         ///< of each body
  std::vector<int> column_start;  ///< bodies + 1
  std::vector<int> row;           ///< of each block

  [[nodiscard]] int bodies() const { return static_cast<int>(place.size()); }
  /// The index of a block that there is.
  [[nodiscard]] int block(int row_place, int column_place) const;
  /// @param pairs  of bodies that have a block, in any order, each once or more. Nothing is done
  ///               where they are those of the last call.
  void find(int bodies, const std::vector<std::array<int, 2>>& pairs);

 private:
  void order(int bodies);
  void find_columns();

  std::vector<std::array<int, 2>> pairs_, met_;  // of bodies, sorted
};

}  // namespace pequod
