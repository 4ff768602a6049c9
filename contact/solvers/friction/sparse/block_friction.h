#pragma once

#include <Eigen/Sparse>
#include <array>
#include <vector>

#include "contact/solvers/friction/friction_problem.h"
#include "contact/solvers/friction/scaled_contacts.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// A matrix of 3×3 blocks, row after row.
struct BlockRows {
  std::vector<int> row_start;  ///< a row and one more, into columns
  std::vector<int> columns;
  std::vector<double> blocks;  ///< 9 a block, by rows

  /// out ← out + row i of the matrix times x, three numbers
  void add_row(int i, const double* x, double* out) const;

  void poison() { pequod::poison(row_start, columns, blocks); }
};

/// Contacts in their units with W as rows of 3×3 blocks, columns rising in each row, the diagonal
/// always there. A problem of dimension 5 has no such form.
struct BlockFriction : ScaledContacts {
  BlockRows W;
  std::vector<int> diagonal;  ///< n, into columns
  std::vector<int> last;      ///< n, scratch

  /// u ← û at contact i
  void velocity(int i, const double* rho, double* u) const;

  /// W of contact i alone, by rows.
  [[nodiscard]] std::array<double, 9> own(int i) const;

  /// u ← W ρ + q
  void apply(const VectorXd& rho, VectorXd& u) const;

  void poison() {
    ScaledContacts::poison();
    pequod::poison(W, diagonal, last);
  }
};

/// Allocates nothing where the structure of W is that of the problem posed before.
void pose_blocks(const SparseFrictionProblem& problem, BlockFriction& result);

}  // namespace pequod
