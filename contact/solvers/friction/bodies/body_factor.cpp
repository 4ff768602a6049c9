#include "contact/solvers/friction/bodies/body_factor.h"

namespace pequod {
namespace {

using RowsOfBody = Eigen::Map<const Eigen::Matrix<double, 3, kBodyWidth, Eigen::RowMajor>>;

}  // namespace

void BodyFactor::fill(const ScaledBodies& problem, const std::vector<double>& C, bool symmetric) {
  const int bodies = factor_.bodies();
  factor_.clear(symmetric);
  for (int i = 0; i < bodies; ++i) factor_.diagonal(i).diagonal().setOnes();
  const auto add = [](BlockFactor<kBodyWidth>::Block& to, const RowsOfBody& rows,
                      const Eigen::Matrix<double, 3, kBodyWidth>& given) {
    to.topRows<kBodyWidth>().noalias() += rows.transpose() * given;
  };
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const ScaledContact& contact = problem.contacts[i];
    const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> own(C.data() + 9 * i);
    if (own.isZero(0.0)) continue;
    const RowsOfBody rows_a(contact.rows.data()), rows_b(contact.rows.data() + kBodyRows);
    const int a = contact.on[0] / kBodyWidth, b = contact.on[1] / kBodyWidth;
    const Eigen::Matrix<double, 3, kBodyWidth> C_a = own * rows_a, C_b = own * rows_b;
    if (a < bodies) add(factor_.diagonal(a), rows_a, C_a);
    if (b < bodies) add(factor_.diagonal(b), rows_b, C_b);
    if (a >= bodies || b >= bodies) continue;
    const auto between = factor_.pair(a, b);
    const bool a_below = between.first_below;
    add(factor_.below(between), a_below ? rows_a : rows_b, a_below ? C_b : C_a);
    if (symmetric) continue;
    // By the transpose of C the other way round.
    const Eigen::Matrix<double, 3, kBodyWidth> given =
        own.transpose() * (a_below ? rows_b : rows_a);
    add(factor_.above(between), a_below ? rows_a : rows_b, given);
  }
}

void BodyFactor::factorise(const ScaledBodies& problem, const std::vector<double>& C,
                           bool symmetric) {
  fill(problem, C, symmetric);
  factor_.factorise();
}

void BodyFactor::solve(Eigen::VectorXd& x, Eigen::VectorXd& z) const {
  z.setZero(static_cast<Eigen::Index>(factor_.kSide) * factor_.bodies());
  for (int i = 0; i < factor_.bodies(); ++i)
    factor_.part(z, i).head<kBodyWidth>() = x.segment<kBodyWidth>(kBodyWidth * i);
  factor_.solve(z);
  for (int i = 0; i < factor_.bodies(); ++i)
    x.segment<kBodyWidth>(kBodyWidth * i) = factor_.part(z, i).head<kBodyWidth>();
}

}  // namespace pequod
