#include "contact/floating_rows.h"

#include <Eigen/LU>

namespace pequod {

void solve_floating(const HeldRows& rows, const VectorXd& e, const MatrixXd& pull,
                    Eigen::Index first, VectorXd& y, VectorXd& f, FloatingShares& out) {
  constexpr double kLeast = -1.0, kMost = 2.0;
  const Eigen::Index n = e.size(), k = pull.cols();
  rows.solve(e, y, f);
  out.zero.setZero(n);
  out.response.resize(n, k);
  out.moved.resize(pull.rows(), k);
  for (Eigen::Index j = 0; j < k; ++j) {
    out.y = pull.col(j);
    rows.solve(out.zero, out.y, out.f);
    out.moved.col(j) = out.y;
    out.response.col(j) = out.f;
  }
  MatrixXd lambda = out.response.middleRows(first, k);
  out.share = -f.segment(first, k);
  for (Eigen::Index j = 0; j < k; ++j) {
    if (rows.accepted()[static_cast<std::size_t>(first + j)]) continue;
    lambda.row(j).setZero();  // a row that others repeat: α = 1 in place of 0 = 0
    lambda(j, j) = out.share[j] = 1.0;
  }
  out.share = lambda.partialPivLu().solve(out.share).eval();
  if (!out.share.allFinite()) out.share.setOnes(k);
  // λ_i is zero at the shares, so λ_i(α_i = 0) = −α_i Λ_ii and λ_i(α_i = 1) = (1 − α_i) Λ_ii.
  const VectorXd own = out.response.middleRows(first, k).diagonal();
  out.bare = -out.share.cwiseProduct(own);
  out.lifting = out.share.cwiseProduct(own) - own;
  out.share = out.share.cwiseMax(kLeast).cwiseMin(kMost);
  y += out.moved * out.share;
  f += out.response * out.share;
  f.segment(first, k).setZero();
}

}  // namespace pequod
