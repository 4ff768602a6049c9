#include "contact/sliding_rows.h"

namespace pequod {

double SlidingRows::solve(const HeldRows& rows, const VectorXd& e,
                          const Eigen::Ref<const MatrixXd>& C, VectorXd& y, VectorXd& f) {
  rows.demand(e, y, asked_);
  W_.resize(rows.rank(), C.cols());
  for (Eigen::Index j = 0; j < C.cols(); ++j) rows.measure(C.col(j), W_.col(j));
  columns_.reset(C.cols());
  for (Eigen::Index i = 0; i < rows.rank(); ++i) {
    part_ = W_.row(i);
    columns_.add(part_);
  }
  f.setZero(C.cols());
  columns_.solve(asked_, f, lambda_);
  y.noalias() += C * f;
  const double asked = asked_.norm();
  asked_.noalias() -= W_ * f;
  return asked > 0.0 ? asked_.norm() / asked : 0.0;
}

double SlidingRows::load(const HeldRows& rows, const Eigen::Ref<const VectorXd>& g) const {
  thread_local VectorXd part;  // workspace only
  part.resize(rows.rank());
  rows.measure(g, part);
  return part.dot(lambda_);
}

}  // namespace pequod
