#pragma once

#include <vector>

#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/principal_factor.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// Buffers of `dantzig`; n entries each.
struct DantzigWorkspace {
  PrincipalFactor factor;     ///< of M_CC
  VectorXd root;              ///< √Mᵢᵢ
  VectorXd inverse;           ///< 1/√Mᵢᵢ, or 1 where that is zero
  VectorXd x;                 ///< change of z_C for a unit change of z_d
  std::vector<char> clamped;  ///< in C
  double scale = 0;           ///< max |qᵢ|/√Mᵢᵢ

  void poison() { pequod::poison(factor, root, inverse, x, clamped); }
};

/// Dantzig's method as Baraff 1994, sec. 4, tells it, for symmetric positive semidefinite M: one
/// violated row after another, the most violated first, is driven to w = 0, while the clamped rows
/// C keep w = 0 and the others z = 0; a row of C whose z vanishes on the way leaves. Rows that are
/// done may become violated again and have another turn, as in the dual method: the paper guards
/// them, which takes six times the pivots where every w ends at zero, as at the tip of a cone. The
/// factor of M_CC is updated, never computed anew. A warm start clamps its positive entries.
///
/// A row that depends on C has no effect of its own; if then no z of C limits the step, z runs off
/// along a ray that proves that there is no solution. An M that is found not to be symmetric
/// positive semidefinite is a failure. Arguments and errors as ComplementarityMethod says.
ComplementarityMethod<LcpProblem> solve_lcp_by_dantzig;

}  // namespace pequod
