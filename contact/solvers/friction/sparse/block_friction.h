#pragma once

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <span>
#include <vector>

#include "contact/solvers/friction/friction_problem.h"
#include "contact/solvers/linear/poison.h"

namespace pequod {

/// A sparse friction problem in contact units (as ScaledFriction), W as rows of 3×3 blocks. A
/// problem of dimension 5 has no such form.
struct BlockFriction {
  int n = 0;  ///< contacts
  bool associated = false;
  double scale = 0, q_norm = 0;
  std::vector<int> row_start;  ///< n + 1, into columns
  std::vector<int> columns;    ///< contacts, rising in each row; the diagonal is always there
  std::vector<int> diagonal;   ///< n, into columns
  std::vector<double> blocks;  ///< 9 a block, by rows
  std::vector<int> last;       ///< n, scratch
  Eigen::VectorXd q;           ///< 3n
  Eigen::VectorXd mu;          ///< n
  Eigen::VectorXd d;           ///< n

  /// u ← û at contact i
  void velocity(int i, const double* rho, double* u) const;

  /// S = max(|q̂|, |ρ|, |û|, scale), 1 if that is zero.
  [[nodiscard]] double size(const Eigen::VectorXd& rho, const Eigen::VectorXd& u) const;

  void poison() { pequod::poison(row_start, columns, diagonal, blocks, last, q, mu, d); }
};

/// Allocates nothing where the structure of W is that of the problem posed before.
void pose_blocks(const SparseFrictionProblem& problem, BlockFriction& result);

/// u ← W ρ + q
void apply(const BlockFriction& problem, const Eigen::VectorXd& rho, Eigen::VectorXd& u);

/// ρ of r; empty: P_K(−q̂).
void start_from(const BlockFriction& problem, int dimension, std::span<const double> r,
                Eigen::VectorXd& rho);

/// P_K of contact i, in place; where there is no slip an open contact carries nothing.
void project(const BlockFriction& problem, int i, double* p);

/// |ρ − P_K(ρ − û − μ|û_t| e_n)|/S, with û = W ρ + q left in `u`.
double natural_residual(const BlockFriction& problem, const Eigen::VectorXd& rho,
                        Eigen::VectorXd& u);

}  // namespace pequod
