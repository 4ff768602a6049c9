#pragma once

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <vector>

#include "contact/solvers/friction/friction_problem.h"
#include "contact/solvers/friction/scaled_contacts.h"
#include "contact/solvers/linear/poison.h"

namespace pequod {

/// Contacts in their units with W as rows of 3×3 blocks. A problem of dimension 5 has no such form.
struct BlockFriction : ScaledContacts {
  std::vector<int> row_start;  ///< n + 1, into columns
  std::vector<int> columns;    ///< contacts, rising in each row; the diagonal is always there
  std::vector<int> diagonal;   ///< n, into columns
  std::vector<double> blocks;  ///< 9 a block, by rows
  std::vector<int> last;       ///< n, scratch

  /// u ← û at contact i
  void velocity(int i, const double* rho, double* u) const;

  /// u ← W ρ + q
  void apply(const Eigen::VectorXd& rho, Eigen::VectorXd& u) const;

  void poison() {
    ScaledContacts::poison();
    pequod::poison(row_start, columns, diagonal, blocks, last);
  }
};

/// Allocates nothing where the structure of W is that of the problem posed before.
void pose_blocks(const SparseFrictionProblem& problem, BlockFriction& result);

}  // namespace pequod
