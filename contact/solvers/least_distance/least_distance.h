#pragma once

#include <string>
#include <vector>

#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/solve_status.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// The point nearest to y₀ that satisfies linear constraints:
///
///   min ½|y − y₀|²  subject to  Eᵀy = e  and  Gᵀy ≥ c.
///
/// Frictionless and no-slip contact have this form: with M = LᵀL and y = L v the distance is the
/// kinetic energy of the change, column i of G is L⁻ᵀNᵢᵀ and column j of E is L⁻ᵀJⱼᵀ. Columns need
/// not be unit vectors. They may be dependent or repeated.
///
/// The matrices may be larger than the problem: `k` and `n` say how many leading columns count, so
/// one problem can be filled again and again without an allocation.
struct LeastDistanceProblem {
  VectorXd y0;  ///< m
  MatrixXd E;   ///< m×k or wider, one equality a column (m×0 if there is none)
  VectorXd e;   ///< as long as E is wide
  MatrixXd G;   ///< m×n or wider, one inequality a column
  VectorXd c;   ///< as long as G is wide
  int k = -1;   ///< leading columns of E that count; −1: all
  int n = -1;   ///< leading columns of G that count; −1: all

  [[nodiscard]] Index equalities() const { return k < 0 ? E.cols() : k; }
  [[nodiscard]] Index inequalities() const { return n < 0 ? G.cols() : n; }

  void poison() { pequod::poison(y0, E, e, G, c); }
};

/// The scale of a problem, s = |y₀| + max |cᵢ|/|gᵢ| + max |eⱼ|/|Eⱼ|: one for all rows, because a
/// scale of its own for every row makes rounding look like violation.
[[nodiscard]] double scale(const LeastDistanceProblem& problem);

/// Tolerances of the solvers, relative to the scale s of the problem.
struct LeastDistanceOptions {
  double violated = 1e-13;   ///< gᵢᵀy − cᵢ below −violated·s|gᵢ| is a violation
  double negative = 1e-13;   ///< a multiplier fᵢ|gᵢ| above −negative·s counts as zero
  double dependent = 1e-11;  ///< a unit row whose remainder is shorter depends on the active rows
  double rank = 1e-9;        ///< the same for equalities
  /// An inequality of which the equalities leave less carries nothing: normals are known to the
  /// tolerance of gaps over the size of a body, and what opposes so short a row would be 1e7 times
  /// the motion that it stops.
  double left = 1e-7;
  double contradiction = 1e-8;  ///< a dependent equality may be off by this times s
  /// A largest residual above this is a failure. Rounding leaves less than 1e-10, at mass ratios of
  /// 10⁶, on nearly repeated contacts and in ten seconds of each example; equalities that all but
  /// repeat each other (two facets a µm apart) leave 1e-9 to 1e7, and a y that is not the nearest.
  double residual = 1e-8;
  int max_pivots = 0;  ///< rows added or removed; 0 means 100 + 10 (m + n)
};

/// Residuals of the optimality conditions, relative to the scale s of the problem (1 if s = 0).
struct LeastDistanceResiduals {
  double infeasibility = NAN;  ///< max of (cᵢ − gᵢᵀy)/(|gᵢ| s) and |eⱼ − Eⱼᵀy|/(|Eⱼ| s), ≥ 0
  double complementarity = NAN;     ///< max |fᵢ (gᵢᵀy − cᵢ)|/s²
  double stationarity = NAN;        ///< |y − y₀ − E fe − G f|/s
  double dual_infeasibility = NAN;  ///< max(0, −fᵢ|gᵢ|)/s
};

struct LeastDistanceSolution {
  /// no_solution: the constraints contradict each other, see f.
  SolveStatus status = SolveStatus::failed;
  std::string reason;  ///< why it is not `solved`; empty if it is

  VectorXd y;  ///< m, NaN unless `solved`
  /// As long as G is wide, zero beyond n. Multipliers ≥ 0 with y = y₀ + E fe + G f, or with status
  /// `no_solution` a proof: a ray f ≥ 0, fe with G f + E fe = 0 and cᵀf + eᵀfe > 0.
  VectorXd f;
  VectorXd fe;  ///< as long as E is wide; zero for dependent equalities

  std::vector<int> active;    ///< the set B in order of entry: the warm start of the next problem
  std::vector<int> accepted;  ///< the columns of E that are independent, in order

  /// Recomputed from the problem if there is a y to measure, also if they are why it is `failed`.
  LeastDistanceResiduals residuals;
  int pivots = 0;    ///< rows added to or removed from B
  int switches = 0;  ///< changes from one method to a safer one (`ppm`)
};

/// Residuals of a solution, computed from the problem alone. It allocates nothing.
[[nodiscard]] LeastDistanceResiduals measure(const LeastDistanceProblem& problem,
                                             const LeastDistanceSolution& solution);

/// Measures the solution. If a residual is too large, it becomes `failed`, without a y, and the
/// reason names the residual, its value and what is asked.
void check_residuals(const LeastDistanceProblem& problem, const LeastDistanceOptions& options,
                     LeastDistanceSolution& solution);

/// @throws std::invalid_argument  if the sizes of the matrices do not fit together
void check_sizes(const LeastDistanceProblem& problem);

}  // namespace pequod
