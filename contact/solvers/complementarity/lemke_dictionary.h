#pragma once

#include <vector>

#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// The dictionary of Lemke's method: x_B = q + T x_N for the basic variables x_B and the nonbasic
/// ones x_N, kept under exchanges of one for one. Variables are numbered w₁…wₙ, z₁…zₙ, then the
/// artificial z₀, whose column is all ones.
///
/// The lexicographic rule replaces q by q + (ε, ε², …), so no two rows ever tie and no basis
/// returns (Cottle, Pang & Stone 1992, sec. 4.9). The columns of the w say what multiplies each
/// power of ε, so no inverse of the basis is stored beside the dictionary.
class LemkeDictionary {
 public:
  enum class Outcome { solved, pivoted, ray };

  /// The dictionary of M + λI and q. Allocates only if the size is new.
  /// @param zero  pivots below this times max |Mᵢⱼ| are not taken
  void reset(const MatrixXd& M, const VectorXd& q, double lambda, double zero);

  /// Before start(): exchanges wᵢ and zᵢ where start is positive, the largest pivots first, as far
  /// as they are safe. From here on the two change names, so the method begins from that basis.
  void warm(const VectorXd& start);

  Outcome start();  ///< brings z₀ in
  Outcome pivot();  ///< brings in the complement of the variable that left last

  [[nodiscard]] int pivots() const { return pivots_; }
  void write_z(VectorXd& z) const;  ///< n, negative rounding cut off
  /// After a ray: how z grows along it, n entries ≥ 0.
  void write_ray(VectorXd& z) const;
  void poison() { pequod::poison(T_, basic_, nonbasic_, where_, renamed_); }

 private:
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  [[nodiscard]] int z_number(Index i) const;
  [[nodiscard]] int leaving_row(int entering) const;
  [[nodiscard]] bool before(Index i, double by_i, Index k, double by_k) const;
  [[nodiscard]] double epsilon_coefficient(Index row, Index power) const;
  void eliminate(Index row, Index column);
  void exchange(Index row, Index column);

  Index n_ = 0;
  double pivot_zero_ = 0, tie_ = 0;
  RowMajor T_;  // n×(n + 2); the last column is q
  std::vector<int> basic_, nonbasic_;
  std::vector<int> where_;     // of each variable: its row if basic, else −1 − its column
  std::vector<char> renamed_;  // n: warm() exchanged wᵢ and zᵢ
  int entering_ = -1;
  int pivots_ = 0;
};

}  // namespace pequod
