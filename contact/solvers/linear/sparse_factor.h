#pragma once

#include <Eigen/Sparse>
#include <vector>

#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// P A Pᵀ = L D Lᵀ of a sparse positive semidefinite matrix, row by row (Davis 2005), P an
/// approximate minimum degree ordering. A further matrix of the same structure allocates nothing.
class SparseFactor {
 public:
  /// The structure, in compressed rows, of both triangles.
  void analyse(const std::vector<int>& starts, const std::vector<int>& columns);
  /// The factor of the rows and columns with wanted[i] ≠ 0, without those whose pivot is no more
  /// than `least` of their entry on the diagonal: they have no part in solve(), x is 0 there.
  /// @param values    of the entries, in their order
  /// @param left_out  is told which of the wanted these are
  /// @return          whether there is none
  bool factorise(const std::vector<double>& values, double least, const std::vector<char>& wanted,
                 std::vector<char>& left_out);
  void solve(const VectorXd& right, VectorXd& x);

 private:
  void order();
  void count_columns();
  int reach(int k);
  double scatter(const std::vector<double>& values, int k);
  double eliminate_entry(int i, int k);
  double eliminate(int k, double pivot);

  std::vector<int> starts_, columns_;       // of A
  std::vector<int> permutation_, inverse_;  // place in the factor to that in A, and back
  std::vector<int> parent_, column_start_, filled_, mark_, stack_, L_rows_;
  std::vector<double> L_, D_, y_;  // y_: the row at work
};

}  // namespace pequod
