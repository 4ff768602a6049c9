#include "contact/floating_rows.h"

#include "contact/solvers/linear/decompositions.h"

namespace pequod {
namespace {

// The shares with λ = 0 on the accepted ones of the k rows; where rows repeat each other, those
// nearest to `near`.
void find_shares(const MatrixXd& lambda, const Eigen::Ref<const VectorXd>& f,
                 const std::vector<char>& accepted, Eigen::Index first, const VectorXd& near,
                 VectorXd& share) {
  const Eigen::Index k = lambda.cols();
  std::vector<Eigen::Index> own;
  for (Eigen::Index j = 0; j < k; ++j)
    if (nth(accepted, first + j)) own.push_back(j);
  share = near;
  if (static_cast<Eigen::Index>(own.size()) == k) {
    share = solve_square(lambda, VectorXd(-f));
  } else if (!own.empty()) {
    const MatrixXd rows = lambda(own, Eigen::all);
    share += LeastNormFactor(rows).solve(VectorXd(-f(own) - rows * share));
  }
  if (!share.allFinite()) share = near;
}

}  // namespace

void solve_floating(const HeldRows& rows, const VectorXd& e, const MatrixXd& pull,
                    Eigen::Index first, const VectorXd& near, VectorXd& y, VectorXd& f,
                    FloatingShares& out) {
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
  const MatrixXd lambda = out.response.middleRows(first, k);
  find_shares(lambda, f.segment(first, k), rows.accepted(), first, near, out.share);
  // λ_i is zero at the shares, so λ_i(α_i = 0) = −α_i Λ_ii and λ_i(α_i = 1) = (1 − α_i) Λ_ii. Among
  // several its sign tells nothing: what one presses down the others may lift.
  VectorXd own = lambda.diagonal().cwiseAbs();
  for (Eigen::Index j = 0; j < k; ++j)
    if (!nth(rows.accepted(), first + j)) own[j] = lambda.col(j).lpNorm<Eigen::Infinity>();
  out.to_open = out.share.cwiseProduct(own);
  out.to_close = own - out.to_open;
  out.share = out.share.cwiseMax(kLeast).cwiseMin(kMost);
  y += out.moved * out.share;
  f += out.response * out.share;
  f.segment(first, k).setZero();
}

}  // namespace pequod
