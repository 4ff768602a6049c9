#include "contact/solvers/friction/body_factor.h"

#include <Eigen/OrderingMethods>
#include <Eigen/Sparse>
#include <algorithm>
#include <numeric>

namespace pequod {
namespace {

std::size_t index_of(int i) { return static_cast<std::size_t>(i); }

using RowsOfBody = Eigen::Map<const Eigen::Matrix<double, 3, kBodyWidth, Eigen::RowMajor>>;

}  // namespace

void BodyFactor::analyse(const ScaledBodies& problem) {
  met_.clear();
  for (const ScaledContact& contact : problem.contacts) {
    const int a = contact.on[0] / kBodyWidth, b = contact.on[1] / kBodyWidth;
    if (a != b && a < problem.bodies && b < problem.bodies)
      met_.push_back({std::min(a, b), std::max(a, b)});
  }
  std::sort(met_.begin(), met_.end());
  met_.erase(std::unique(met_.begin(), met_.end()), met_.end());
  if (met_ == pairs_ && bodies_ == problem.bodies) return;
  pairs_.swap(met_);
  bodies_ = problem.bodies;
  order();
  find_columns();
}

void BodyFactor::order() {
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& [a, b] : pairs_) {
    entries.emplace_back(a, b, 1.0);
    entries.emplace_back(b, a, 1.0);
  }
  for (int i = 0; i < bodies_; ++i) entries.emplace_back(i, i, 1.0);
  Eigen::SparseMatrix<double> graph(bodies_, bodies_);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(graph, order);
  place_.assign(index_of(bodies_), 0);
  for (int k = 0; k < bodies_; ++k) place_[index_of(order.indices()[k])] = k;
}

// Each column of L has its own pairs and those of its children in the elimination tree, whose
// parent is the first row below the diagonal.
void BodyFactor::find_columns() {
  std::vector<std::vector<int>> columns(index_of(bodies_));
  for (const auto& [a, b] : pairs_) {
    const int i = place_[index_of(a)], j = place_[index_of(b)];
    columns[index_of(std::min(i, j))].push_back(std::max(i, j));
  }
  column_start_.assign(1, 0);
  row_.clear();
  for (int k = 0; k < bodies_; ++k) {
    std::vector<int>& rows = columns[index_of(k)];
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (!rows.empty()) {
      std::vector<int>& parent = columns[index_of(rows.front())];
      parent.insert(parent.end(), rows.begin() + 1, rows.end());
    }
    row_.insert(row_.end(), rows.begin(), rows.end());
    column_start_.push_back(static_cast<int>(row_.size()));
  }
}

int BodyFactor::find_block(int row, int column) const {
  const auto begin = row_.begin() + column_start_[index_of(column)];
  const auto end = row_.begin() + column_start_[index_of(column) + 1];
  return static_cast<int>(std::lower_bound(begin, end, row) - row_.begin());
}

void BodyFactor::fill(const ScaledBodies& problem, const std::vector<double>& C, bool symmetric) {
  diagonal_.assign(index_of(bodies_), Block::Identity());
  lower_.assign(row_.size(), Block::Zero());
  upper_.assign(row_.size(), Block::Zero());
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const ScaledContact& contact = problem.contacts[i];
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> own(C.data() + 9 * i);
    if (own.isZero(0.0)) continue;
    const RowsOfBody rows_a(contact.rows.data()), rows_b(contact.rows.data() + kBodyRows);
    const int a = contact.on[0] / kBodyWidth, b = contact.on[1] / kBodyWidth;
    const Eigen::Matrix<double, 3, kBodyWidth> C_a = own * rows_a, C_b = own * rows_b;
    if (a < bodies_) diagonal_[index_of(place_[index_of(a)])].noalias() += rows_a.transpose() * C_a;
    if (b < bodies_) diagonal_[index_of(place_[index_of(b)])].noalias() += rows_b.transpose() * C_b;
    if (a >= bodies_ || b >= bodies_) continue;
    const int i_a = place_[index_of(a)], i_b = place_[index_of(b)];
    const bool a_below = i_a > i_b;
    const auto at = index_of(find_block(std::max(i_a, i_b), std::min(i_a, i_b)));
    lower_[at].noalias() += (a_below ? rows_a : rows_b).transpose() * (a_below ? C_b : C_a);
    if (!symmetric)
      upper_[at].noalias() += (a_below ? rows_b : rows_a).transpose() * (a_below ? C_a : C_b);
  }
}

void BodyFactor::factorise(const ScaledBodies& problem, const std::vector<double>& C,
                           bool symmetric) {
  fill(problem, C, symmetric);
  for (int k = 0; k < bodies_; ++k) {
    Block& own = diagonal_[index_of(k)];
    own = Block(own.inverse());
    const int begin = column_start_[index_of(k)], end = column_start_[index_of(k) + 1];
    for (int e = begin; e < end; ++e) {
      if (symmetric) upper_[index_of(e)] = lower_[index_of(e)].transpose();
      lower_[index_of(e)] = Block(lower_[index_of(e)].lazyProduct(own));
    }
    for (int f = begin; f < end; ++f) {
      const int column = row_[index_of(f)];
      diagonal_[index_of(column)] -= lower_[index_of(f)].lazyProduct(upper_[index_of(f)]);
      int at = column_start_[index_of(column)];
      for (int e = f + 1; e < end; ++e, ++at) {
        while (row_[index_of(at)] != row_[index_of(e)]) ++at;
        lower_[index_of(at)] -= lower_[index_of(e)].lazyProduct(upper_[index_of(f)]);
        if (!symmetric)
          upper_[index_of(at)] -= lower_[index_of(f)].lazyProduct(upper_[index_of(e)]);
      }
    }
  }
}

void BodyFactor::solve(Eigen::VectorXd& x, Eigen::VectorXd& z) const {
  z.resize(static_cast<Eigen::Index>(kBodyWidth) * bodies_);
  for (int i = 0; i < bodies_; ++i)
    z.segment<kBodyWidth>(kBodyWidth * place_[index_of(i)]) = x.segment<kBodyWidth>(kBodyWidth * i);
  for (int k = 0; k < bodies_; ++k)
    for (int e = column_start_[index_of(k)]; e < column_start_[index_of(k) + 1]; ++e)
      z.segment<kBodyWidth>(kBodyWidth * row_[index_of(e)]) -=
          lower_[index_of(e)].lazyProduct(z.segment<kBodyWidth>(kBodyWidth * k));
  for (int k = bodies_ - 1; k >= 0; --k) {
    Eigen::Matrix<double, kBodyWidth, 1> own = z.segment<kBodyWidth>(kBodyWidth * k);
    for (int e = column_start_[index_of(k)]; e < column_start_[index_of(k) + 1]; ++e)
      own -= upper_[index_of(e)].lazyProduct(z.segment<kBodyWidth>(kBodyWidth * row_[index_of(e)]));
    z.segment<kBodyWidth>(kBodyWidth * k) = diagonal_[index_of(k)].lazyProduct(own);
  }
  for (int i = 0; i < bodies_; ++i)
    x.segment<kBodyWidth>(kBodyWidth * i) = z.segment<kBodyWidth>(kBodyWidth * place_[index_of(i)]);
}

}  // namespace pequod
