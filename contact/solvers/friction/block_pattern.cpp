#include "contact/solvers/friction/block_pattern.h"

#include <Eigen/OrderingMethods>
#include <Eigen/Sparse>
#include <algorithm>

namespace pequod {
namespace {

std::size_t slot(int i) { return static_cast<std::size_t>(i); }

std::vector<int> order_bodies(int bodies, const std::vector<std::array<int, 2>>& pairs) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& [a, b] : pairs) {
    entries.emplace_back(a, b, 1.0);
    entries.emplace_back(b, a, 1.0);
  }
  for (int i = 0; i < bodies; ++i) entries.emplace_back(i, i, 1.0);
  Eigen::SparseMatrix<double> graph(bodies, bodies);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(graph, order);
  std::vector<int> place(slot(bodies), 0);
  for (int k = 0; k < bodies; ++k) place[slot(order.indices()[k])] = k;
  return place;
}

}  // namespace

int BlockPattern::find(int row_place, int column_place) const {
  const auto begin = row.begin() + column_start[slot(column_place)];
  const auto end = row.begin() + column_start[slot(column_place) + 1];
  return static_cast<int>(std::lower_bound(begin, end, row_place) - row.begin());
}

// Each column of L has its own pairs and those of its children in the elimination tree, whose
// parent is the first row below the diagonal.
BlockPattern find_block_pattern(int bodies, const std::vector<std::array<int, 2>>& pairs) {
  BlockPattern pattern;
  pattern.place = order_bodies(bodies, pairs);
  std::vector<std::vector<int>> columns(slot(bodies));
  for (const auto& [a, b] : pairs) {
    const int i = pattern.place[slot(a)], j = pattern.place[slot(b)];
    columns[slot(std::min(i, j))].push_back(std::max(i, j));
  }
  pattern.column_start.assign(1, 0);
  for (int k = 0; k < bodies; ++k) {
    std::vector<int>& rows = columns[slot(k)];
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (!rows.empty()) {
      std::vector<int>& parent = columns[slot(rows.front())];
      parent.insert(parent.end(), rows.begin() + 1, rows.end());
    }
    pattern.row.insert(pattern.row.end(), rows.begin(), rows.end());
    pattern.column_start.push_back(static_cast<int>(pattern.row.size()));
  }
  return pattern;
}

}  // namespace pequod
