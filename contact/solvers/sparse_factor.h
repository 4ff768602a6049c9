#pragma once

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <vector>

namespace pequod {

/// P (A + c I) Pᵀ = L D Lᵀ of a sparse symmetric matrix, row by row (Davis 2005), P an approximate
/// minimum degree ordering. A further matrix of the same structure allocates nothing.
class SparseFactor {
 public:
  /// The structure, in compressed columns with both triangles.
  void analyse(const std::vector<int>& starts, const std::vector<int>& rows);
  /// @param values  of the entries, in their order
  /// @param shift   c
  /// @return        whether no pivot vanished
  bool factorise(const std::vector<double>& values, double shift);
  void solve(const Eigen::VectorXd& right, Eigen::VectorXd& x);

 private:
  void order();
  void count_columns();
  int reach(int k);

  std::vector<int> starts_, rows_;          // of A
  std::vector<int> permutation_, inverse_;  // place in the factor to that in A, and back
  std::vector<int> parent_, column_start_, filled_, mark_, stack_, L_rows_;
  std::vector<double> L_, D_, y_;
};

}  // namespace pequod
