#include "contact/sliding_rows.h"

#include <cmath>

#include "contact/solvers/friction/forces/cone_force.h"

namespace pequod {

namespace {

// Of what a force moves all rows by: no more is rounding of it.
constexpr double kUnmoved = 1e-13;

// Whether no force moves row i, whatever the forces are measured in. @param norms  of W's columns
bool is_unmoved(const MatrixXd& W, const VectorXd& norms, Eigen::Index i) {
  for (Eigen::Index j = 0; j < W.cols(); ++j)
    if (std::abs(W(i, j)) > kUnmoved * norms[j]) return false;
  return true;
}

}  // namespace

void SlidingRows::factor(const HeldRows& rows, const Eigen::Ref<const MatrixXd>& C,
                         const VectorXd& unit) {
  thread_local VectorXd row, norms;  // workspace only
  W_.resize(rows.rank(), C.cols());
  for (Eigen::Index j = 0; j < C.cols(); ++j) rows.measure(C.col(j), W_.col(j));
  unit_ = unit;
  if (unit_.size() > 0) W_ *= unit_.asDiagonal();
  norms = W_.colwise().norm().transpose();
  columns_.reset(C.cols());
  for (Eigen::Index i = 0; i < rows.rank(); ++i) {
    row = W_.row(i);
    if (is_unmoved(W_, norms, i)) row.setZero();
    columns_.add(row);
  }
}

void SlidingRows::solve(const HeldRows& rows, const Eigen::Ref<const MatrixXd>& C,
                        const VectorXd& e, VectorXd& y, Forces& out) const {
  rows.demand(e, y, out.asked);
  out.f.setZero(C.cols());
  columns_.solve(out.asked, out.f, out.lambda);
  out.asked.noalias() -= W_ * out.f;
  out.unmet = out.asked.norm();
  restore_units(out.f);
  y.noalias() += C * out.f;
}

void SlidingRows::restore_units(VectorXd& f) const {
  if (unit_.size() > 0) f.array() *= unit_.array();
}

void SlidingRows::solve_in_cones(const Eigen::Ref<const MatrixXd>& C,
                                 const std::vector<ForceCone>& cones, VectorXd& y, Forces& out,
                                 ConeForceBuffers& buffers) const {
  if (columns_.rank() == C.cols()) return;  // the only ones that there are
  VectorXd &a = buffers.problem.a, &least = buffers.solver.least;
  std::vector<ForceCone>& in_units = buffers.problem.cones;
  least = out.f;
  if (unit_.size() > 0) least.array() /= unit_.array();
  put_into_units(cones, unit_, in_units);
  if (are_in_cones(in_units, least, buffers.solver)) return;
  a = out.asked;
  a.noalias() += W_ * least;
  push_into_cones(columns_.basis(), least, in_units, buffers.solver, buffers.force,
                  NoForce::nothing);
  if (buffers.force.given_up) return;
  y.noalias() -= C * out.f;
  out.f = buffers.force.f;
  columns_.solve(a, out.f, out.lambda);  // with what it lacks
  restore_units(out.f);
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
