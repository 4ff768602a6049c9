// Linear programs in Eigen's types, solved by Clp.
#pragma once

#include <Eigen/Dense>
#include <memory>
#include <vector>

namespace pequod {

/// Minimise cᵀx over lower ≤ x ≤ upper, row_lower ≤ A x ≤ row_upper. Bounds may be infinite;
/// entries of A below 1e-14 of the largest count as zero.
struct LinearProgram {
  Eigen::MatrixXd A;                     ///< m×n
  Eigen::VectorXd row_lower, row_upper;  ///< m
  Eigen::VectorXd lower, upper;          ///< n
  Eigen::VectorXd cost;                  ///< n

  /// A x = b, x ≥ 0, no cost.
  [[nodiscard]] static LinearProgram standard(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
};

enum class LpStatus { optimal, infeasible, unbounded, failed };

struct LpSolution {
  LpStatus status = LpStatus::failed;
  Eigen::VectorXd x;       ///< n; a vertex if the status is optimal
  double objective = NAN;  ///< cᵀx
  std::vector<int> basic;  ///< indices of the basic x, rising
  Eigen::VectorXd price;   ///< m, the rows' multipliers
};

/// The simplex method, from scratch or from the basis of the last solve, whichever costs and bounds
/// have been changed since. The same sequence of calls gives the same bits.
class Simplex {
 public:
  /// @throws std::invalid_argument  with the sizes, if they do not fit together
  explicit Simplex(const LinearProgram& program);
  Simplex(Simplex&&) noexcept;
  Simplex& operator=(Simplex&&) noexcept;
  ~Simplex();

  void set_cost(const Eigen::VectorXd& cost);
  void set_bounds(int column, double lower, double upper);
  [[nodiscard]] bool is_fixed(int column) const;  ///< its bounds are equal

  [[nodiscard]] LpSolution solve();

 private:
  struct Program;
  std::unique_ptr<Program> program_;
};

/// One solve.
[[nodiscard]] LpSolution solve(const LinearProgram& program);

}  // namespace pequod
