#pragma once

#include <span>
#include <vector>

#include "contact/solvers/least_distance/least_distance.h"
#include "contact/solvers/linear/gram_factor.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/sparse_columns.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Buffers; they carry no meaning.
struct BlockPivotingWorkspace {
  SparseColumns columns;  // of unit length
  GramFactor factor;
  VectorXd c, inverse_norm, y, u;
  std::vector<char> active, next;

  void poison() { pequod::poison(c, inverse_norm, y, u, active, next); }
};

/// Rows from which on block pivoting pays.
inline constexpr int kManyRows = 64;

/// A least-distance problem of many sparse inequalities, as the contacts of a pile of bodies, by
/// block principal pivoting (Júdice & Pires 1994): all rows whose multiplier is negative or that
/// are violated change sides at once, and where that does not lower their number for a while, one
/// at a time. A set takes one sparse factor of its Gram matrix, and a dozen sets do where a method
/// that moves single rows takes hundreds.
/// @return whether it solved the problem; if not, as with equalities, few rows, rows that depend on
///         each other or sets that repeat, `solution` means nothing
bool solve_by_blocks(const LeastDistanceProblem& problem, const LeastDistanceOptions& options,
                     std::span<const int> warm_start, BlockPivotingWorkspace& workspace,
                     LeastDistanceSolution& solution);

}  // namespace pequod
