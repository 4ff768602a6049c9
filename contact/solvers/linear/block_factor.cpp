#include "contact/solvers/linear/block_factor.h"

#include <algorithm>
#include <array>

#include "contact/solvers/linear/block_kernels.h"

namespace pequod {
namespace {

// Of one motion of each body: definite.
void invert(Eigen::Matrix<double, block_side(kInverted), kInverted>& A) { invert_block(A.data()); }

// Two motions: indefinite.
void invert(Eigen::Matrix<double, 12, 12>& A) { A = A.inverse().eval(); }

template <typename Block>
void clear_blocks(std::size_t count, std::vector<Block>& blocks) {
  blocks.resize(count);
  if (count > 0) std::fill_n(blocks.front().data(), count * Block::SizeAtCompileTime, 0.0);
}

}  // namespace

template <int Width>
void BlockFactor<Width>::analyse(int bodies, const std::vector<std::array<int, 2>>& pairs,
                                 BlockKind kind) {
  pattern_.find(bodies, pairs);
  kernels_ = &block_kernels(kind);
}

template <int Width>
void BlockFactor<Width>::clear(bool symmetric) {
  symmetric_ = symmetric;
  clear_blocks(pattern_.place.size(), diagonal_);
  clear_blocks(pattern_.row.size(), below_);
  lower_.resize(pattern_.row.size());
  if (!symmetric) clear_blocks(pattern_.row.size(), upper_);
}

template <int Width>
typename BlockFactor<Width>::Pair BlockFactor<Width>::pair(int first, int second) const {
  const int i = pattern_.place[first], j = pattern_.place[second];
  return {pattern_.block(std::max(i, j), std::min(i, j)), i > j};
}

// The last of at most kTogether columns from k on that have the same rows below it.
template <int Width>
int BlockFactor<Width>::last_alike(int k) const {
  const auto begin = pattern_.column_start.begin();
  const auto size = [&](int column) { return begin[column + 1] - begin[column]; };
  int last = k;
  while (last - k + 1 < kTogether && size(last) > 0 && pattern_.row[begin[last]] == last + 1 &&
         size(last + 1) == size(last) - 1)
    ++last;
  return last;
}

// L_ik = A_ik D⁻¹ of one column.
template <int Width>
void BlockFactor<Width>::scale(int k) {
  Block& own = diagonal_[k];
  invert(own);
  Block across = own;  // products are by the transpose
  if (!symmetric_)
    across.template topRows<Width>() = own.template topRows<Width>().transpose().eval();
  const int* start = pattern_.column_start.data();
  for (int e = start[k]; e < start[k + 1]; ++e)
    kernels_->set_product(lower_[e].data(), {below_[e].data(), across.data()});
}

// A_ij ← A_ij − L_ik (D U)_kj, row f below the columns k from first to last that of j, and j's own
// rows i from j on.
template <int Width>
void BlockFactor<Width>::subtract(int first, int last, int f) {
  const int* start = pattern_.column_start.data();
  const int column = pattern_.row[start[last] + f], below = start[last + 1] - start[last];
  const std::vector<Block>& across = symmetric_ ? below_ : upper_;
  std::array<BlockFactors, kTogether> products;
  const auto take = [&](Block& from, const std::vector<Block>& left, int e,
                        const std::vector<Block>& right) {
    for (int k = first; k <= last; ++k) {
      const int above = start[k] + last - k;
      products[k - first] = {left[above + e].data(), right[above + f].data()};
    }
    kernels_->subtract_products(from.data(), products.data(), last - first + 1);
  };
  take(diagonal_[column], lower_, f, across);
  int at = start[column];
  for (int e = f + 1; e < below; ++e, ++at) {
    while (pattern_.row[at] != pattern_.row[start[last] + e]) ++at;
    take(below_[at], lower_, e, across);
    if (!symmetric_) take(upper_[at], upper_, e, lower_);
  }
}

// Columns that have the same rows below the last of them, whose blocks are complete but for each
// other: one by one, then all other columns by all of them at once, which reads and writes those
// once.
template <int Width>
void BlockFactor<Width>::eliminate(int first, int last) {
  const int* start = pattern_.column_start.data();
  for (int k = first; k <= last; ++k) {
    scale(k);
    for (int f = 0; f < last - k; ++f) subtract(k, k, f);
  }
  for (int f = 0; f < start[last + 1] - start[last]; ++f) subtract(first, last, f);
}

template <int Width>
void BlockFactor<Width>::factorise() {
  for (int k = 0; k < pattern_.bodies();) {
    const int last = last_alike(k);
    eliminate(k, last);
    k = last + 1;
  }
}

template <int Width>
void BlockFactor<Width>::solve(VectorXd& z) const {
  const int bodies = pattern_.bodies();
  const auto at = [&](int place) { return z.segment<kSide>(static_cast<Index>(kSide) * place); };
  // Of the blocks of a column, calls (first block, their rows, how many).
  const auto with_column = [&](const std::vector<Block>& blocks, int k, const auto& call) {
    const int begin = pattern_.column_start[k];
    const int count = pattern_.column_start[k + 1] - begin;
    if (count > 0) call(blocks[begin].data(), &pattern_.row[begin], count);
  };
  for (int k = 0; k < bodies; ++k)
    with_column(lower_, k, [&](const double* L, const int* rows, int count) {
      kernels_->subtract_down(L, rows, count, at(k).data(), z.data());
    });
  for (int k = bodies - 1; k >= 0; --k) {
    Eigen::Matrix<double, kSide, 1> own = at(k);
    const auto divide = [&] { own = diagonal_[k].lazyProduct(own.template head<Width>()).eval(); };
    const auto subtract_up = [&](const std::vector<Block>& blocks) {
      with_column(blocks, k, [&](const double* L, const int* rows, int count) {
        kernels_->subtract_up(L, rows, count, z.data(), own.data());
      });
    };
    if (symmetric_) {
      divide();
      subtract_up(lower_);
    } else {
      subtract_up(upper_);
      divide();
    }
    at(k) = own;
  }
}

template class BlockFactor<6>;
template class BlockFactor<12>;

}  // namespace pequod
