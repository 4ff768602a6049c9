#include "contact/solvers/friction/body_saddle.h"

#include <algorithm>
#include <array>

namespace pequod {
namespace {

constexpr int kHalf = kBodyWidth / 2;
// Of a row: a lever that is rounding.
constexpr double kNoLever = 1e-12;

std::size_t at_index(int i) { return static_cast<std::size_t>(i); }

using SideRows = Eigen::Map<const Eigen::Matrix<double, 3, kBodyWidth, Eigen::RowMajor>>;
using NormalRow = Eigen::Map<const Eigen::Matrix<double, 1, kBodyWidth>>;

// Whether normals feel the half of a body's coordinates from the first on.
bool feels(const ScaledBodies& problem, int first) {
  return std::ranges::any_of(problem.contacts, [&](const ScaledContact& contact) {
    return std::ranges::any_of(std::array{0, kBodyRows}, [&](int body) {
      const NormalRow row(contact.rows.data() + body);
      return row.segment<kHalf>(first).norm() > kNoLever * row.norm();
    });
  });
}

}  // namespace

void BodySaddle::analyse(const ScaledBodies& problem) {
  pattern_.find(problem);
  unfelt_ = feels(problem, 0) ? kHalf : 0;
  narrow_ = !feels(problem, unfelt_);
  kernels_ = &block_kernels(narrow_);
}

// [1, −1; −1, 0]; where normals do not feel a half of a, it is that of v and its right side.
void BodySaddle::start_blocks(int bodies) {
  diagonal_.assign(at_index(bodies), Block::Zero());
  lower_.assign(pattern_.row.size(), Block::Zero());
  const int felt = kHalf - unfelt_;
  for (Block& own : diagonal_) {
    own.diagonal().head<kHalf>().setOnes();
    own.diagonal().tail<kHalf>().setOnes();
    for (int k = 0; k < kHalf; ++k) {
      const int v = kHalf + felt + k, a_other = kNarrow + k, v_other = kHalf + unfelt_ + k;
      own(k, v) = own(v, k) = -1.0;
      if (narrow_)
        own(v_other, v_other) = -1.0;
      else
        own(a_other, v_other) = own(v_other, a_other) = -1.0;
    }
  }
}

// to ← to + [NᵀΛN, 0; 0, −GᵀΓG] of one contact, of its rows on a first and a second body.
void BodySaddle::add_contact(double along, const double* gives, const double* first,
                             const double* second, Block& to) const {
  const auto part = [](const double* row, int from) { return NormalRow(row).segment<kHalf>(from); };
  const auto press = [&](int row, int column, int a, int b) {
    to.block<kHalf, kHalf>(row, column).noalias() +=
        along * part(first, a).transpose() * part(second, b);
  };
  const int felt = kHalf - unfelt_;
  press(0, 0, felt, felt);
  if (!narrow_) {
    press(0, kNarrow, felt, unfelt_);
    press(kNarrow, 0, unfelt_, felt);
    press(kNarrow, kNarrow, unfelt_, unfelt_);
  }
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> own(gives);
  const Eigen::Matrix<double, 3, kBodyWidth> given = own * SideRows(second);
  to.block<kBodyWidth, kBodyWidth>(kHalf, kHalf).noalias() -= SideRows(first).transpose() * given;
}

void BodySaddle::fill(const ScaledBodies& problem, const std::vector<double>& along,
                      const std::vector<double>& gives) {
  const int bodies = problem.bodies;
  start_blocks(bodies);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const ScaledContact& contact = problem.contacts[i];
    const auto add = [&](const double* first, const double* second, Block& to) {
      add_contact(along[i], gives.data() + 9 * i, first, second, to);
    };
    const int a = contact.on[0] / kBodyWidth, b = contact.on[1] / kBodyWidth;
    const double *rows_a = contact.rows.data(), *rows_b = rows_a + kBodyRows;
    if (a < bodies) add(rows_a, rows_a, diagonal_[at_index(pattern_.place[at_index(a)])]);
    if (b < bodies) add(rows_b, rows_b, diagonal_[at_index(pattern_.place[at_index(b)])]);
    if (a >= bodies || b >= bodies) continue;
    const int i_a = pattern_.place[at_index(a)], i_b = pattern_.place[at_index(b)];
    Block& between = lower_[at_index(pattern_.block(std::max(i_a, i_b), std::min(i_a, i_b)))];
    if (i_a > i_b)
      add(rows_a, rows_b, between);
    else
      add(rows_b, rows_a, between);
  }
}

// The last of at most kTogether columns from k on that have the same rows below it.
int BodySaddle::last_alike(int k) const {
  const auto begin = pattern_.column_start.begin();
  const auto size = [&](int column) { return begin[column + 1] - begin[column]; };
  int last = k;
  while (last - k + 1 < kTogether && size(last) > 0 &&
         pattern_.row[at_index(begin[last])] == last + 1 && size(last + 1) == size(last) - 1)
    ++last;
  return last;
}

// A_ij ← A_ij − L_ik A_jkᵀ of one column j, row f below the columns k from first to last, and its
// own rows from j on.
void BodySaddle::subtract(int first, int last, int base, int f) {
  const int* start = pattern_.column_start.data();
  const int column = pattern_.row[at_index(start[last] + f)], below = start[last + 1] - start[last];
  std::array<BlockFactors, kTogether> products;
  const auto add = [&](Block& to, int e) {
    for (int k = first; k <= last; ++k) {
      const int above = start[k] + last - k;
      products[at_index(k - first)] = {lower_[at_index(above + e)].data(),
                                       minus_[at_index(above + f - base)].data()};
    }
    kernels_->add_products(to.data(), products.data(), last - first + 1);
  };
  add(diagonal_[at_index(column)], f);
  int at = start[column];
  for (int e = f + 1; e < below; ++e, ++at) {
    while (pattern_.row[at_index(at)] != pattern_.row[at_index(start[last] + e)]) ++at;
    add(lower_[at_index(at)], e);
  }
}

// Columns that have the same rows below the last of them, whose blocks are complete but for each
// other: L_ik = A_ik D⁻¹ one by one, then all other columns by all of them at once, which reads and
// writes those once.
void BodySaddle::eliminate(int first, int last) {
  const int* start = pattern_.column_start.data();
  const int base = start[first];
  minus_.resize(at_index(start[last + 1] - base));
  for (int k = first; k <= last; ++k) {
    Block& own = diagonal_[at_index(k)];
    own = Block(own.inverse());
    for (int e = start[k]; e < start[k + 1]; ++e) {
      Block& block = lower_[at_index(e)];
      minus_[at_index(e - base)] = -block;
      const Block above = block;
      block.setZero();
      const BlockFactors product{above.data(), own.data()};
      kernels_->add_products(block.data(), &product, 1);
    }
    for (int f = 0; f < last - k; ++f) subtract(k, k, base, f);
  }
  for (int f = 0; f < start[last + 1] - start[last]; ++f) subtract(first, last, base, f);
}

void BodySaddle::factorise(const ScaledBodies& problem, const std::vector<double>& along,
                           const std::vector<double>& gives) {
  fill(problem, along, gives);
  for (int k = 0; k < pattern_.bodies();) {
    const int last = last_alike(k);
    eliminate(k, last);
    k = last + 1;
  }
}

void BodySaddle::solve(Eigen::VectorXd& a, Eigen::VectorXd& v) {
  const int bodies = pattern_.bodies();
  z_.resize(static_cast<Eigen::Index>(kWidth) * bodies);
  const auto part = [&](int place) { return z_.segment<kWidth>(kWidth * place); };
  const int felt = kHalf - unfelt_;
  for (int i = 0; i < bodies; ++i) {
    auto both = part(pattern_.place[at_index(i)]);
    both << a.segment<kHalf>(kBodyWidth * i + felt), v.segment<kBodyWidth>(kBodyWidth * i),
        a.segment<kHalf>(kBodyWidth * i + unfelt_);
    if (narrow_) both.segment<kHalf>(kHalf + unfelt_) += both.tail<kHalf>();
  }
  // Of the blocks of a column, calls (first block, their rows, how many).
  const auto with_column = [&](int k, const auto& call) {
    const int begin = pattern_.column_start[at_index(k)];
    const int count = pattern_.column_start[at_index(k) + 1] - begin;
    if (count > 0) call(lower_[at_index(begin)].data(), &pattern_.row[at_index(begin)], count);
  };
  for (int k = 0; k < bodies; ++k)
    with_column(k, [&](const double* L, const int* rows, int count) {
      kernels_->subtract_down(L, rows, count, part(k).data(), z_.data());
    });
  for (int k = bodies - 1; k >= 0; --k) {
    Two own = diagonal_[at_index(k)].lazyProduct(part(k));
    with_column(k, [&](const double* L, const int* rows, int count) {
      kernels_->subtract_up(L, rows, count, z_.data(), own.data());
    });
    part(k) = own;
  }
  for (int i = 0; i < bodies; ++i) {
    auto both = part(pattern_.place[at_index(i)]);
    if (narrow_) both.tail<kHalf>() += both.segment<kHalf>(kHalf + unfelt_);
    a.segment<kHalf>(kBodyWidth * i + felt) = both.head<kHalf>();
    a.segment<kHalf>(kBodyWidth * i + unfelt_) = both.tail<kHalf>();
    v.segment<kBodyWidth>(kBodyWidth * i) = both.segment<kBodyWidth>(kHalf);
  }
}

}  // namespace pequod
