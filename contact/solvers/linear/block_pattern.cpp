#include "contact/solvers/linear/block_pattern.h"

#include <Eigen/OrderingMethods>
#include <Eigen/Sparse>
#include <algorithm>

namespace pequod {

int BlockPattern::block(int row_place, int column_place) const {
  const auto begin = row.begin() + column_start[column_place];
  const auto end = row.begin() + column_start[column_place + 1];
  return static_cast<int>(std::lower_bound(begin, end, row_place) - row.begin());
}

void BlockPattern::find(int bodies, const std::vector<std::array<int, 2>>& pairs) {
  met_.clear();
  for (const auto& [a, b] : pairs) met_.push_back({std::min(a, b), std::max(a, b)});
  std::sort(met_.begin(), met_.end());
  met_.erase(std::unique(met_.begin(), met_.end()), met_.end());
  if (met_ == pairs_ && static_cast<int>(place.size()) == bodies) return;
  pairs_.swap(met_);
  order(bodies);
  find_columns();
}

void BlockPattern::order(int bodies) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& [a, b] : pairs_) {
    entries.emplace_back(a, b, 1.0);
    entries.emplace_back(b, a, 1.0);
  }
  for (int i = 0; i < bodies; ++i) entries.emplace_back(i, i, 1.0);
  Eigen::SparseMatrix<double> graph(bodies, bodies);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(graph, order);
  place.assign(bodies, 0);
  for (int k = 0; k < bodies; ++k) place[order.indices()[k]] = k;
}

// Each column of L has its own pairs and those of its children in the elimination tree, whose
// parent is the first row below the diagonal.
void BlockPattern::find_columns() {
  std::vector<std::vector<int>> columns(place.size());
  for (const auto& [a, b] : pairs_) {
    const int i = place[a], j = place[b];
    columns[std::min(i, j)].push_back(std::max(i, j));
  }
  column_start.assign(1, 0);
  row.clear();
  for (std::vector<int>& rows : columns) {
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (!rows.empty()) {
      std::vector<int>& parent = columns[rows.front()];
      parent.insert(parent.end(), rows.begin() + 1, rows.end());
    }
    row.insert(row.end(), rows.begin(), rows.end());
    column_start.push_back(static_cast<int>(row.size()));
  }
}

}  // namespace pequod
