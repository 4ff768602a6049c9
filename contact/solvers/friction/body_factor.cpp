#include "contact/solvers/friction/body_factor.h"

#include <algorithm>

namespace pequod {
namespace {

std::size_t index_of(int i) { return static_cast<std::size_t>(i); }

using RowsOfBody = Eigen::Map<const Eigen::Matrix<double, 3, kBodyWidth, Eigen::RowMajor>>;

}  // namespace

void BodyFactor::analyse(const ScaledBodies& problem) { pattern_.find(problem); }

void BodyFactor::fill(const ScaledBodies& problem, const std::vector<double>& C, bool symmetric) {
  diagonal_.assign(index_of(pattern_.bodies()), Block::Identity());
  lower_.assign(pattern_.row.size(), Block::Zero());
  upper_.assign(pattern_.row.size(), Block::Zero());
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const ScaledContact& contact = problem.contacts[i];
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> own(C.data() + 9 * i);
    if (own.isZero(0.0)) continue;
    const RowsOfBody rows_a(contact.rows.data()), rows_b(contact.rows.data() + kBodyRows);
    const int a = contact.on[0] / kBodyWidth, b = contact.on[1] / kBodyWidth;
    const Eigen::Matrix<double, 3, kBodyWidth> C_a = own * rows_a, C_b = own * rows_b;
    if (a < pattern_.bodies())
      diagonal_[index_of(pattern_.place[index_of(a)])].noalias() += rows_a.transpose() * C_a;
    if (b < pattern_.bodies())
      diagonal_[index_of(pattern_.place[index_of(b)])].noalias() += rows_b.transpose() * C_b;
    if (a >= pattern_.bodies() || b >= pattern_.bodies()) continue;
    const int i_a = pattern_.place[index_of(a)], i_b = pattern_.place[index_of(b)];
    const bool a_below = i_a > i_b;
    const auto at = index_of(pattern_.block(std::max(i_a, i_b), std::min(i_a, i_b)));
    lower_[at].noalias() += (a_below ? rows_a : rows_b).transpose() * (a_below ? C_b : C_a);
    if (!symmetric)
      upper_[at].noalias() += (a_below ? rows_b : rows_a).transpose() * (a_below ? C_a : C_b);
  }
}

void BodyFactor::factorise(const ScaledBodies& problem, const std::vector<double>& C,
                           bool symmetric) {
  fill(problem, C, symmetric);
  for (int k = 0; k < pattern_.bodies(); ++k) {
    Block& own = diagonal_[index_of(k)];
    own = Block(own.inverse());
    const int begin = pattern_.column_start[index_of(k)],
              end = pattern_.column_start[index_of(k) + 1];
    for (int e = begin; e < end; ++e) {
      if (symmetric) upper_[index_of(e)] = lower_[index_of(e)].transpose();
      lower_[index_of(e)] = Block(lower_[index_of(e)].lazyProduct(own));
    }
    for (int f = begin; f < end; ++f) {
      const int column = pattern_.row[index_of(f)];
      diagonal_[index_of(column)] -= lower_[index_of(f)].lazyProduct(upper_[index_of(f)]);
      int at = pattern_.column_start[index_of(column)];
      for (int e = f + 1; e < end; ++e, ++at) {
        while (pattern_.row[index_of(at)] != pattern_.row[index_of(e)]) ++at;
        lower_[index_of(at)] -= lower_[index_of(e)].lazyProduct(upper_[index_of(f)]);
        if (!symmetric)
          upper_[index_of(at)] -= lower_[index_of(f)].lazyProduct(upper_[index_of(e)]);
      }
    }
  }
}

void BodyFactor::solve(Eigen::VectorXd& x, Eigen::VectorXd& z) const {
  z.resize(static_cast<Eigen::Index>(kBodyWidth) * pattern_.bodies());
  for (int i = 0; i < pattern_.bodies(); ++i)
    z.segment<kBodyWidth>(kBodyWidth * pattern_.place[index_of(i)]) =
        x.segment<kBodyWidth>(kBodyWidth * i);
  for (int k = 0; k < pattern_.bodies(); ++k)
    for (int e = pattern_.column_start[index_of(k)]; e < pattern_.column_start[index_of(k) + 1];
         ++e)
      z.segment<kBodyWidth>(kBodyWidth * pattern_.row[index_of(e)]) -=
          lower_[index_of(e)].lazyProduct(z.segment<kBodyWidth>(kBodyWidth * k));
  for (int k = pattern_.bodies() - 1; k >= 0; --k) {
    Eigen::Matrix<double, kBodyWidth, 1> own = z.segment<kBodyWidth>(kBodyWidth * k);
    for (int e = pattern_.column_start[index_of(k)]; e < pattern_.column_start[index_of(k) + 1];
         ++e)
      own -= upper_[index_of(e)].lazyProduct(
          z.segment<kBodyWidth>(kBodyWidth * pattern_.row[index_of(e)]));
    z.segment<kBodyWidth>(kBodyWidth * k) = diagonal_[index_of(k)].lazyProduct(own);
  }
  for (int i = 0; i < pattern_.bodies(); ++i)
    x.segment<kBodyWidth>(kBodyWidth * i) =
        z.segment<kBodyWidth>(kBodyWidth * pattern_.place[index_of(i)]);
}

}  // namespace pequod
