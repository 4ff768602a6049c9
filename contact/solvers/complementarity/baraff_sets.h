#pragma once

#include <vector>

#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/linear/dense_lu.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

struct BaraffProblem;

/// Buffers of solve_baraff.
struct BaraffWorkspace {
  /// Where a row is. A normal row is open (f = 0) or clamped (a = 0); a friction row is open while
  /// it has not been driven or its normal row is open, clamped, or at a bound.
  enum class Place : char { open, clamped, upper, lower };
  std::vector<Place> place;
  std::vector<int> clamped;  ///< the rows that are clamped
  VectorXd df, da;           ///< change of f and a for a unit change of the driven force
  MatrixXd columns;          ///< change of a by each force, with the friction that follows it
  VectorXd x;
  double scale = 0;  ///< max |bᵢ|

  void poison() { pequod::poison(place, clamped, df, da, columns, x); }
};

/// The incremental part of solve_baraff, from f = 0.
/// @return  true if every row is where it belongs; false if it has stopped, because the rows depend
///          on each other, a force has no bound, or the limit of steps is reached
bool settle_baraff_sets(const BaraffProblem& problem, const LcpOptions& options, DenseLu& lu,
                        BaraffWorkspace& workspace, VectorXd& f, VectorXd& a, int& pivots);

}  // namespace pequod
