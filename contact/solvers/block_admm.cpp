#include "contact/solvers/block_admm.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <vector>

namespace pequod {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr int kLook = 20;              // steps between looks at the residuals
constexpr double kRatio = 5;           // of the residuals, from which on the penalty changes
constexpr double kFirstPenalty = 0.1;  // factorisations are dear: begin where packings end
constexpr double kRelaxation = 1.6;

Sparse matrix_of(const BlockFriction& problem) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(problem.blocks.size());
  for (int i = 0; i < problem.n; ++i)
    for (int b = problem.row_start[i]; b < problem.row_start[i + 1]; ++b)
      for (int k = 0; k < 9; ++k)
        entries.emplace_back(3 * i + k / 3, 3 * problem.columns[b] + k % 3,
                             problem.blocks[9 * static_cast<std::size_t>(b) + k]);
  Sparse W(3 * problem.n, 3 * problem.n);
  W.setFromTriplets(entries.begin(), entries.end());
  return W;
}

/// W + c I, factorised by what its symmetry allows.
class ShiftedFactor {
 public:
  explicit ShiftedFactor(const Sparse& W) : W_(W) {
    const Sparse difference = Sparse(W_.transpose()) - W_;
    symmetric_ = difference.norm() <= 1e-13 * W_.norm();
    if (symmetric_)
      ldlt_.analyzePattern(W_);
    else
      lu_.analyzePattern(W_);
  }

  void factorise(double shift) {
    if (symmetric_) {
      ldlt_.setShift(shift);
      ldlt_.factorize(W_);
      return;
    }
    Sparse shifted = W_;
    shifted.diagonal().array() += shift;
    lu_.factorize(shifted);
  }

  void solve(const Eigen::VectorXd& right, Eigen::VectorXd& x) const {
    if (symmetric_)
      x = ldlt_.solve(right);
    else
      x = lu_.solve(right);
  }

 private:
  Sparse W_;
  bool symmetric_ = false;
  Eigen::SimplicialLDLT<Sparse> ldlt_;
  Eigen::SparseLU<Sparse, Eigen::AMDOrdering<int>> lu_;
};

double shift(const BlockFriction& problem, int i, const Eigen::VectorXd& u) {
  if (problem.associated || problem.mu[i] >= kNoSlipFriction) return 0;
  return problem.mu[i] * std::sqrt(u[3 * i + 1] * u[3 * i + 1] + u[3 * i + 2] * u[3 * i + 2]);
}

}  // namespace

BlockAdmmResult solve_admm(const BlockFriction& problem, const BlockAdmmSettings& settings,
                           Eigen::VectorXd& rho) {
  BlockAdmmResult result;
  const Sparse W = matrix_of(problem);
  const double eta = 1e-6 * W.norm() / std::sqrt(std::max(1, 3 * problem.n));
  ShiftedFactor factor(W);
  double penalty = kFirstPenalty;
  factor.factorise(penalty + eta);
  Eigen::VectorXd u, x = rho, y = rho, best = rho, before, right, relaxed;
  double least = natural_residual(problem, rho, u);
  Eigen::VectorXd z = u;
  for (int i = 0; i < problem.n; ++i) z[3 * i] += shift(problem, i, u);
  while (least > settings.tolerance && result.iterations < settings.iterations) {
    right = z + penalty * y + eta * x - problem.q;
    for (int i = 0; i < problem.n; ++i) right[3 * i] -= shift(problem, i, z);
    factor.solve(right, x);
    before = y;
    relaxed = kRelaxation * x + (1 - kRelaxation) * y;
    y = relaxed - z / penalty;
    for (int i = 0; i < problem.n; ++i) project(problem, i, y.data() + 3 * i);
    z -= penalty * (relaxed - y);
    if (++result.iterations % kLook != 0) continue;
    const double residual = natural_residual(problem, y, u);
    if (residual < least) {
      least = residual;
      best = y;
    }
    const double primal = (x - y).norm(), dual = penalty * (y - before).norm();
    if (primal <= kRatio * dual && dual <= kRatio * primal) continue;
    penalty *= primal > dual ? 2 : 0.5;
    factor.factorise(penalty + eta);
  }
  rho = best;
  result.converged = least <= settings.tolerance;
  return result;
}

}  // namespace pequod
