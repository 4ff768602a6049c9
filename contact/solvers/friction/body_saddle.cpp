#include "contact/solvers/friction/body_saddle.h"

#include <algorithm>

namespace pequod {
namespace {

constexpr int kSide = 2 * kBodyWidth;

std::size_t at_index(int i) { return static_cast<std::size_t>(i); }

using SideRows = Eigen::Map<const Eigen::Matrix<double, 3, kBodyWidth, Eigen::RowMajor>>;
using NormalRow = Eigen::Map<const Eigen::Matrix<double, 1, kBodyWidth>>;

// Doubles that a processor takes at once: of any kind, and of those since 2013.
using TwoLanes = double __attribute__((vector_size(16), aligned(8), may_alias));
using FourLanes = double __attribute__((vector_size(32), aligned(8), may_alias));

// C ← C + A Bᵀ, Columns columns of C at a time in registers. The order of the sums is that of the
// columns of A whatever the lanes, so the bits are the same.
template <typename Lanes, int Columns>
inline __attribute__((always_inline)) void add_product_by(double* C, const double* A,
                                                          const double* B) {
  constexpr int kWide = sizeof(Lanes) / sizeof(double), kParts = kSide / kWide;
  for (int j = 0; j < kSide; j += Columns) {
    Lanes sum[Columns][kParts];
    for (int c = 0; c < Columns; ++c)
      for (int i = 0; i < kParts; ++i)
        sum[c][i] = *reinterpret_cast<const Lanes*>(C + kSide * (j + c) + kWide * i);
    for (int k = 0; k < kSide; ++k)
      for (int i = 0; i < kParts; ++i) {
        const Lanes a = *reinterpret_cast<const Lanes*>(A + kSide * k + kWide * i);
        for (int c = 0; c < Columns; ++c) sum[c][i] += a * B[kSide * k + j + c];
      }
    for (int c = 0; c < Columns; ++c)
      for (int i = 0; i < kParts; ++i)
        *reinterpret_cast<Lanes*>(C + kSide * (j + c) + kWide * i) = sum[c][i];
  }
}

__attribute__((target("default"))) void add_product(double* C, const double* A, const double* B) {
  add_product_by<TwoLanes, 2>(C, A, B);
}

__attribute__((target("avx2"))) void add_product(double* C, const double* A, const double* B) {
  add_product_by<FourLanes, 3>(C, A, B);
}

}  // namespace

void BodySaddle::analyse(const ScaledBodies& problem) { pattern_.find(problem); }

void BodySaddle::fill(const ScaledBodies& problem, const std::vector<double>& along,
                      const std::vector<double>& gives) {
  const int bodies = problem.bodies;
  diagonal_.assign(at_index(bodies), Block::Zero());
  lower_.assign(pattern_.row.size(), Block::Zero());
  for (Block& own : diagonal_) {
    own.topLeftCorner<kBodyWidth, kBodyWidth>().setIdentity();
    own.topRightCorner<kBodyWidth, kBodyWidth>().diagonal().setConstant(-1.0);
    own.bottomLeftCorner<kBodyWidth, kBodyWidth>().diagonal().setConstant(-1.0);
  }
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const ScaledContact& contact = problem.contacts[i];
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> own(gives.data() + 9 * i);
    const auto add = [&](const double* first, const double* second, Block& to) {
      to.topLeftCorner<kBodyWidth, kBodyWidth>().noalias() +=
          along[i] * NormalRow(first).transpose() * NormalRow(second);
      const Eigen::Matrix<double, 3, kBodyWidth> given = own * SideRows(second);
      to.bottomRightCorner<kBodyWidth, kBodyWidth>().noalias() -=
          SideRows(first).transpose() * given;
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

// Column k, whose blocks are complete: L_ik = A_ik D⁻¹, then A_ij ← A_ij − L_ik A_jkᵀ.
void BodySaddle::eliminate(int k) {
  Block& own = diagonal_[at_index(k)];
  own = Block(own.inverse());
  const int begin = pattern_.column_start[at_index(k)],
            end = pattern_.column_start[at_index(k) + 1];
  column_.resize(at_index(end - begin));
  for (int e = begin; e < end; ++e) {
    Block& block = lower_[at_index(e)];
    column_[at_index(e - begin)] = -block;
    const Block above = block;
    block.setZero();
    add_product(block.data(), above.data(), own.data());
  }
  for (int f = begin; f < end; ++f) {
    const int column = pattern_.row[at_index(f)];
    const double* from = column_[at_index(f - begin)].data();
    add_product(diagonal_[at_index(column)].data(), lower_[at_index(f)].data(), from);
    int at = pattern_.column_start[at_index(column)];
    for (int e = f + 1; e < end; ++e, ++at) {
      while (pattern_.row[at_index(at)] != pattern_.row[at_index(e)]) ++at;
      add_product(lower_[at_index(at)].data(), lower_[at_index(e)].data(), from);
    }
  }
}

void BodySaddle::factorise(const ScaledBodies& problem, const std::vector<double>& along,
                           const std::vector<double>& gives) {
  fill(problem, along, gives);
  for (int k = 0; k < pattern_.bodies(); ++k) eliminate(k);
}

void BodySaddle::solve(Eigen::VectorXd& a, Eigen::VectorXd& v) {
  using Two = Eigen::Matrix<double, kWidth, 1>;
  const int bodies = pattern_.bodies();
  z_.resize(static_cast<Eigen::Index>(kWidth) * bodies);
  const auto part = [&](int place) { return z_.segment<kWidth>(kWidth * place); };
  const auto blocks_of = [&](int k) {
    return std::pair(pattern_.column_start[at_index(k)], pattern_.column_start[at_index(k) + 1]);
  };
  for (int i = 0; i < bodies; ++i)
    part(pattern_.place[at_index(i)]) << a.segment<kBodyWidth>(kBodyWidth * i),
        v.segment<kBodyWidth>(kBodyWidth * i);
  for (int k = 0; k < bodies; ++k)
    for (auto [e, end] = blocks_of(k); e < end; ++e)
      part(pattern_.row[at_index(e)]) -= lower_[at_index(e)].lazyProduct(part(k));
  for (int k = bodies - 1; k >= 0; --k) {
    Two own = diagonal_[at_index(k)].lazyProduct(part(k));
    for (auto [e, end] = blocks_of(k); e < end; ++e)
      own -= lower_[at_index(e)].transpose().lazyProduct(part(pattern_.row[at_index(e)]));
    part(k) = own;
  }
  for (int i = 0; i < bodies; ++i) {
    const auto both = part(pattern_.place[at_index(i)]);
    a.segment<kBodyWidth>(kBodyWidth * i) = both.head<kBodyWidth>();
    v.segment<kBodyWidth>(kBodyWidth * i) = both.tail<kBodyWidth>();
  }
}

}  // namespace pequod
