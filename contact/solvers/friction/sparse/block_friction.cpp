#include "contact/solvers/friction/sparse/block_friction.h"

#include <algorithm>
#include <cstddef>

namespace pequod {

namespace {

/// Calls visit(i, j) for each block that holds an entry of W and for all on the diagonal, once, by
/// rising j.
template <typename Visit>
void visit_blocks(const SparseFrictionProblem& problem, BlockFriction& result, Visit visit) {
  result.last.assign(result.n, -1);
  const auto meet = [&](int i, int j) {
    if (result.last[i] == j) return;
    result.last[i] = j;
    visit(i, j);
  };
  for (int column = 0; column < problem.W.outerSize(); ++column) {
    const int j = column / problem.dimension;
    meet(j, j);
    for (Eigen::SparseMatrix<double>::InnerIterator it(problem.W, column); it; ++it)
      meet(static_cast<int>(it.row()) / problem.dimension, j);
  }
}

void find_pattern(const SparseFrictionProblem& problem, BlockFriction& result) {
  result.W.row_start.assign(result.n + 1, 0);
  visit_blocks(problem, result, [&](int i, int) { ++result.W.row_start[i + 1]; });
  for (int i = 0; i < result.n; ++i) result.W.row_start[i + 1] += result.W.row_start[i];
  result.W.columns.resize(result.W.row_start.back());
  result.diagonal.assign(result.W.row_start.begin(), result.W.row_start.end() - 1);
  // Until the row is full, `diagonal` is where its next block goes.
  visit_blocks(problem, result, [&](int i, int j) { result.W.columns[result.diagonal[i]++] = j; });
  for (int i = 0; i < result.n; ++i) {
    const auto row = result.W.columns.begin() + result.W.row_start[i];
    const auto end = result.W.columns.begin() + result.W.row_start[i + 1];
    result.diagonal[i] = static_cast<int>(std::lower_bound(row, end, i) - result.W.columns.begin());
  }
}

/// Whether component k of contact i has an effect; else its row is decoupled, with ρ = û = 0.
bool is_coupled(const SparseFrictionProblem& problem, int i, int k) {
  return k == 0 || (k < problem.dimension && problem.mu[i] > 0);
}

void fill(const SparseFrictionProblem& problem, BlockFriction& result) {
  const int dimension = problem.dimension;
  result.W.blocks.assign(9 * result.W.columns.size(), 0.0);
  for (int column = 0; column < problem.W.outerSize(); ++column) {
    const int j = column / dimension, l = column % dimension;
    for (Eigen::SparseMatrix<double>::InnerIterator it(problem.W, column); it; ++it) {
      const int i = static_cast<int>(it.row()) / dimension;
      const int k = static_cast<int>(it.row()) % dimension;
      if (!is_coupled(problem, i, k) || !is_coupled(problem, j, l)) continue;
      const auto begin = result.W.columns.begin() + result.W.row_start[i];
      const auto end = result.W.columns.begin() + result.W.row_start[i + 1];
      const auto block = std::lower_bound(begin, end, j) - result.W.columns.begin();
      result.W.blocks[9 * block + 3 * k + l] = result.d[i] * result.d[j] * it.value();
    }
  }
  for (int i = 0; i < result.n; ++i)
    for (int k = 0; k < 3; ++k) {
      if (is_coupled(problem, i, k))
        result.q[3 * i + k] = result.d[i] * problem.q[dimension * i + k];
      else
        result.W.blocks[9 * result.diagonal[i] + 4 * k] = 1;
    }
}

}  // namespace

void BlockRows::add_row(int i, const double* x, double* out) const {
  double u0 = out[0], u1 = out[1], u2 = out[2];
  for (int k = row_start[i]; k < row_start[i + 1]; ++k) {
    const double* B = blocks.data() + 9 * k;
    const double* r = x + 3 * columns[k];
    u0 += B[0] * r[0] + B[1] * r[1] + B[2] * r[2];
    u1 += B[3] * r[0] + B[4] * r[1] + B[5] * r[2];
    u2 += B[6] * r[0] + B[7] * r[1] + B[8] * r[2];
  }
  out[0] = u0;
  out[1] = u1;
  out[2] = u2;
}

void BlockFriction::velocity(int i, const double* rho, double* u) const {
  std::copy_n(q.data() + 3 * i, 3, u);
  W.add_row(i, rho, u);
}

std::array<double, 9> BlockFriction::own(int i) const {
  std::array<double, 9> block;
  std::copy_n(W.blocks.begin() + 9 * diagonal[i], 9, block.begin());
  return block;
}

void pose_blocks(const SparseFrictionProblem& problem, BlockFriction& result) {
  scale_contacts(problem, result);
  result.q.setZero(result.rows());
  find_pattern(problem, result);
  fill(problem, result);
  result.q_norm = result.q.norm();
}

void BlockFriction::apply(const VectorXd& rho, VectorXd& u) const {
  u.resize(rows());
  for (int i = 0; i < n; ++i) velocity(i, rho.data(), u.data() + 3 * i);
}

}  // namespace pequod
