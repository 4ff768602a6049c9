#include "contact/solvers/friction/dissipation/body_saddle.h"

#include <algorithm>
#include <array>

namespace pequod {
namespace {

constexpr int kHalf = kBodyWidth / 2;
// Of a row: a lever that is rounding.
constexpr double kNoLever = 1e-12;

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
  unfelt_ = feels(problem, 0) ? kHalf : 0;
  narrow_ = !feels(problem, unfelt_);
  find_pairs(problem, pairs_);
  factor_.analyse(problem.bodies, pairs_, narrow_ ? BlockKind::nine_of_twelve : BlockKind::twelve);
}

// [1, −1; −1, 0]; where normals do not feel a half of a, it is that of v and its right side.
void BodySaddle::start_blocks() {
  factor_.clear(true);
  const int felt = kHalf - unfelt_;
  for (int i = 0; i < factor_.bodies(); ++i) {
    Block& own = factor_.diagonal(i);
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
  const Eigen::Map<const RowMajor3> own(gives);
  const Eigen::Matrix<double, 3, kBodyWidth> given = own * SideRows(second);
  to.block<kBodyWidth, kBodyWidth>(kHalf, kHalf).noalias() -= SideRows(first).transpose() * given;
}

void BodySaddle::fill(const ScaledBodies& problem, const std::vector<double>& along,
                      const std::vector<double>& gives) {
  const int bodies = problem.bodies;
  start_blocks();
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const ScaledContact& contact = problem.contacts[i];
    const auto add = [&](const double* first, const double* second, Block& to) {
      add_contact(along[i], gives.data() + 9 * i, first, second, to);
    };
    const int a = contact.on[0] / kBodyWidth, b = contact.on[1] / kBodyWidth;
    const double *rows_a = contact.rows.data(), *rows_b = rows_a + kBodyRows;
    if (a < bodies) add(rows_a, rows_a, factor_.diagonal(a));
    if (b < bodies) add(rows_b, rows_b, factor_.diagonal(b));
    if (a >= bodies || b >= bodies) continue;
    const auto between = factor_.pair(a, b);
    if (between.first_below)
      add(rows_a, rows_b, factor_.below(between));
    else
      add(rows_b, rows_a, factor_.below(between));
  }
}

void BodySaddle::factorise(const ScaledBodies& problem, const std::vector<double>& along,
                           const std::vector<double>& gives) {
  fill(problem, along, gives);
  factor_.factorise();
}

void BodySaddle::solve(VectorXd& a, VectorXd& v) {
  const int bodies = factor_.bodies(), felt = kHalf - unfelt_;
  z_.resize(static_cast<Index>(kWidth) * bodies);
  for (int i = 0; i < bodies; ++i) {
    auto both = factor_.part(z_, i);
    both << a.segment<kHalf>(kBodyWidth * i + felt), v.segment<kBodyWidth>(kBodyWidth * i),
        a.segment<kHalf>(kBodyWidth * i + unfelt_);
    if (narrow_) both.segment<kHalf>(kHalf + unfelt_) += both.tail<kHalf>();
  }
  factor_.solve(z_);
  for (int i = 0; i < bodies; ++i) {
    auto both = factor_.part(z_, i);
    if (narrow_) both.tail<kHalf>() += both.segment<kHalf>(kHalf + unfelt_);
    a.segment<kHalf>(kBodyWidth * i + felt) = both.head<kHalf>();
    a.segment<kHalf>(kBodyWidth * i + unfelt_) = both.tail<kHalf>();
    v.segment<kBodyWidth>(kBodyWidth * i) = both.segment<kBodyWidth>(kHalf);
  }
}

}  // namespace pequod
