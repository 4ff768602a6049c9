#pragma once

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <vector>

namespace pequod {

/// P (A + c I) Pᵀ = L D U of a sparse matrix of symmetric structure, U = Lᵀ if A is symmetric; row
/// by row (Davis 2005), P an approximate minimum degree ordering. It does not pivot: the symmetric
/// part of A + c I is to be positive definite. A further matrix of the same structure allocates
/// nothing.
class SparseFactor {
 public:
  /// The structure, in compressed rows, of both triangles.
  void analyse(const std::vector<int>& starts, const std::vector<int>& columns);
  /// @param values     of the entries, in their order
  /// @param shift      c
  /// @param symmetric  whether A is: one of two mirrored entries is not looked at then
  /// @return           whether no pivot vanished
  bool factorise(const std::vector<double>& values, double shift, bool symmetric = true);
  /// The factor of the rows and columns with wanted[i] ≠ 0, c = 0, of a symmetric A, without those
  /// whose pivot is no more than `least` of their entry on the diagonal: they have no part in
  /// solve(), x is 0 there.
  /// @param left_out  is told which of the wanted these are
  /// @return          whether there is none
  bool factorise_some(const std::vector<double>& values, double least,
                      const std::vector<char>& wanted, std::vector<char>& left_out);
  void solve(const Eigen::VectorXd& right, Eigen::VectorXd& x);

 private:
  void order();
  void count_columns();
  void pair_entries();
  int reach(int k);
  void start_values(bool symmetric);
  double scatter(const std::vector<double>& values, int k);
  double eliminate_entry(int i, int k);
  double eliminate(int k, double pivot);

  std::vector<int> starts_, columns_;       // of A
  std::vector<int> mirror_;                 // the entry across the diagonal, of each
  std::vector<int> permutation_, inverse_;  // place in the factor to that in A, and back
  std::vector<int> parent_, column_start_, filled_, mark_, stack_, L_rows_;
  std::vector<double> L_, U_, D_;  // U by rows, at the places of the columns of L; empty: Lᵀ
  std::vector<double> y_, z_;      // the row and the column at work
  bool symmetric_ = true;
};

}  // namespace pequod
