#include "contact/sliding_rows.h"

namespace pequod {

void SlidingRows::factor(const HeldRows& rows, const Eigen::Ref<const MatrixXd>& C) {
  thread_local VectorXd row;  // workspace only
  W_.resize(rows.rank(), C.cols());
  for (Eigen::Index j = 0; j < C.cols(); ++j) rows.measure(C.col(j), W_.col(j));
  columns_.reset(C.cols());
  for (Eigen::Index i = 0; i < rows.rank(); ++i) {
    row = W_.row(i);
    columns_.add(row);
  }
}

void SlidingRows::solve(const HeldRows& rows, const Eigen::Ref<const MatrixXd>& C,
                        const VectorXd& e, VectorXd& y, Forces& out) const {
  rows.demand(e, y, out.asked);
  out.f.setZero(C.cols());
  columns_.solve(out.asked, out.f, out.lambda);
  y.noalias() += C * out.f;
  const double asked = out.asked.norm();
  out.asked.noalias() -= W_ * out.f;
  out.unmet = asked > 0.0 ? out.asked.norm() / asked : 0.0;
}

void SlidingRows::solve_in_cones(const Eigen::Ref<const MatrixXd>& C,
                                 const std::vector<ForceCone>& cones, VectorXd& y, Forces& out,
                                 ConeForceBuffers& buffers) const {
  // The only ones that there are, or those asked for.
  if (columns_.rank() == C.cols() || are_in_cones(cones, out.f, buffers.solver)) return;
  VectorXd& a = buffers.problem.a;
  a = out.asked;
  a.noalias() += W_ * out.f;
  push_into_cones(columns_.basis(), out.f, cones, buffers.solver, buffers.force, NoForce::nothing);
  if (buffers.force.given_up) return;
  y.noalias() -= C * out.f;
  out.f = buffers.force.f;
  columns_.solve(a, out.f, out.lambda);  // with what it lacks
  y.noalias() += C * out.f;
  VectorXd& pull = buffers.force.pull;
  a.noalias() = W_ * pull;
  pull.setZero();
  columns_.solve(a, pull, out.lambda);
}

double SlidingRows::load(const HeldRows& rows, const Forces& found,
                         const Eigen::Ref<const VectorXd>& g) {
  thread_local VectorXd part;  // workspace only
  part.resize(rows.rank());
  rows.measure(g, part);
  return part.dot(found.lambda);
}

}  // namespace pequod
