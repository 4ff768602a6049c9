#pragma once

#include <vector>

#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Writes a box problem, and with it a mixed one, as an LCP (Cottle, Pang & Stone 1992, sec. 1.5):
/// a row with one bound is shifted to it, and turned if it is the upper one; a row with both gets a
/// second unknown β for the force at the upper bound,
///
///   0 ≤ z − l ⊥ w + β ≥ 0,  0 ≤ β ⊥ u − z ≥ 0;
///
/// free unknowns are eliminated with complete pivoting. Where their block is singular, the equality
/// that is left becomes w ≥ 0 and −w ≥ 0 for the two parts of an unknown x⁺ − x⁻.
class BoxReduction {
 public:
  /// Allocates only if the size or the kinds of rows are new.
  /// @param zero  a pivot below this times max |Mᵢⱼ| counts as zero
  void reset(const BoxProblem& problem, double zero);

  [[nodiscard]] const LcpProblem& lcp() const { return lcp_; }

  /// A point of the box problem near a solution → one of the LCP.
  void write_start(const VectorXd& z, VectorXd& lcp_z) const;
  /// A solution of the LCP → z.
  void write_z(const VectorXd& lcp_z, VectorXd& z);
  /// A proof that the LCP has no solution → one for the box problem.
  void write_certificate(const VectorXd& lcp_p, VectorXd& p) const;

 private:
  void sort_rows(const BoxProblem& problem);
  void fill(const BoxProblem& problem);
  void eliminate_free(double zero);
  void exchange_rows(Index a, Index b);
  void exchange_columns(Index a, Index b);
  void fill_lcp();

  Index n_ = 0, free_ = 0, rank_ = 0;
  std::vector<int> order_;           // the row of the problem at each place: free ones first
  std::vector<int> rows_, columns_;  // places after the exchanges of the elimination
  std::vector<int> both_;            // places with two bounds
  VectorXd base_, sign_, width_;     // z = base + sign · s at each place
  MatrixXd K_;   // n×(n + 1): the system [x; s] with its constant; LU on the left
  VectorXd at_;  // [x; s]
  LcpProblem lcp_;
};

}  // namespace pequod
