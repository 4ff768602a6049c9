#pragma once

#include <Eigen/Dense>
#include <vector>

#include "contact/solvers/complementarity/lcp_problem.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/principal_factor.h"

namespace pequod {

struct LcpWorkspace;

/// Buffers of `dantzig`; n entries each.
struct DantzigWorkspace {
  PrincipalFactor factor;     ///< of M_CC
  Eigen::VectorXd root;       ///< √Mᵢᵢ
  Eigen::VectorXd inverse;    ///< 1/√Mᵢᵢ, or 1 where that is zero
  Eigen::VectorXd x, dw;      ///< change of z_C and of w for a unit change of z_d
  std::vector<char> clamped;  ///< in C
  std::vector<char> barred;   ///< found to depend on C while d is driven
  double scale = 0;           ///< max |qᵢ|/√Mᵢᵢ

  void poison() { pequod::poison(factor, root, inverse, x, dw, clamped, barred); }
};

/// Dantzig's method as Baraff 1994, sec. 4, tells it, for symmetric positive semidefinite M: one
/// violated row after another, the most violated first, is driven to w = 0, while the clamped rows
/// C keep w = 0 and the others z = 0; rows that meet a limit on the way change sides. At first the
/// others may become violated (the dual method), then w ≥ 0 of those that are done is kept. The
/// factor of M_CC is updated, never computed anew. A warm start clamps its positive entries.
///
/// A row that depends on C has no effect of its own; if then no z of C limits the step, z runs off
/// along a ray that proves that there is no solution. An M that is found not to be symmetric
/// positive semidefinite is a failure. Arguments and errors as SolveComplementarity says.
void solve_lcp_by_dantzig(const LcpProblem& problem, const LcpOptions& options,
                          const Eigen::VectorXd& warm_start, LcpWorkspace& workspace,
                          LcpSolution& solution);

}  // namespace pequod
