#pragma once

#include "contact/solvers/friction/dense/scaled_friction.h"
#include "contact/solvers/friction/friction_problem.h"
#include "contact/solvers/least_distance/least_distance.h"
#include "contact/solvers/least_distance/least_distance_workspace.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/vectors.h"
#include "contact/solvers/quadratic/cone_interior_point.h"

namespace pequod {

/// Buffers of phase I; no meaning from one call to the next.
struct FrictionlessBuffers {
  LeastDistanceProblem problem;
  LeastDistanceWorkspace workspace;
  LeastDistanceSolution solution;
  RowMajorMatrix factor;
  Eigen::VectorXi order;

  void poison() { pequod::poison(problem, workspace, factor, order); }
};

/// Drumwright & Shell's impact model (2010, QP 1): of all impulses that keep contacts from
/// approaching, push no harder than without friction and stay in their cones, those that leave the
/// least kinetic energy:
///
///   min ½ rᵀW r + rᵀq  subject to  u_n = (W r + q)_n ≥ 0,  r_n ≥ 0,  1ᵀr_n ≤ κ(1 + slack),
///                                  |r_t|² ≤ μ² r_n² + w²
///
/// with κ = 1ᵀr_n of phase I, the same without friction (QP 3). Convex if w = 0. It is not
/// Coulomb's law: sliding contacts may lift, and friction need not oppose the slip.
struct MaximumDissipationOptions {
  /// The feasible set has no interior if κ binds, which it does as a rule; a loosening of 10⁻¹⁰
  /// loses half of the problems.
  double slack = 1e-7;
  double tolerance = 1e-10;  ///< of the interior point method; it goes on while it gains
  double accepted = 1e-8;    ///< a larger residual is a failure
  int max_iterations = 50;
  /// n, w_i in N·s: h μv|u_t|, viscous friction of a step h (print omits h). Empty: none. The set
  /// is not convex then (print says it is): the root is replaced by its tangent, which stays
  /// inside, again and again, so the energy falls to a local minimum.
  VectorXd width;
};

struct MaximumDissipationSolution {
  SolveStatus status = SolveStatus::failed;
  std::string reason;  ///< why it is not `solved`; empty if it is

  VectorXd r, u;               ///< as FrictionSolution; the best iterate if `failed`
  VectorXd normal;             ///< n, r_n of phase I, N·s
  double kappa = NAN;          ///< N·s
  int iterations = 0;          ///< of the interior point method, all rounds
  double energy_change = NAN;  ///< ½ rᵀ(u + q), J
  // Recomputed from the problem, in contact units over S as in FrictionResiduals.
  double penetration = NAN;  ///< largest −û_n, ≥ 0
  double cone = NAN;         ///< largest excess of |ρ_t|, and −ρ_n, ≥ 0
  double excess = NAN;       ///< (1ᵀr_n − κ)⁺/κ
  /// What of the energy change is above the least, over S²; from the dual.
  double gap = NAN;
};

/// Buffers; no meaning from one solve to the next.
struct MaximumDissipationWorkspace {
  ScaledFriction problem;
  FrictionlessBuffers frictionless;
  ConeProgram program;
  InteriorPointBuffers interior_point;
  VectorXd normal, rho, previous, slope;

  void poison() {
    pequod::poison(problem, frictionless, program, interior_point, normal, rho, previous, slope);
  }
};

/// Solves QP 1 by the interior point method, after phase I by the dual active-set method, and takes
/// the best of what lies between the two, so that no energy is gained where little is left. After
/// the first solve of a size it allocates nothing. no_solution: phase I has none, so contacts
/// cannot be kept apart by normal impulses (moving walls).
/// @param problem  dimension 2 or 3, W symmetric; `associated` is not looked at
/// @throws std::invalid_argument  as check(problem), for dimension 5, or if `width` has another
///                                length than mu or a negative entry
void solve_maximum_dissipation(const FrictionProblem& problem,
                               const MaximumDissipationOptions& options,
                               MaximumDissipationWorkspace& workspace,
                               MaximumDissipationSolution& solution);

/// Status and reason, by what was measured.
void judge_dissipation(const MaximumDissipationOptions& options,
                       MaximumDissipationSolution& solution);

}  // namespace pequod
