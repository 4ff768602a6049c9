#pragma once

#include <vector>

#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/row_major.h"
#include "contact/solvers/linear/vectors.h"
#include "contact/solvers/quadratic/low_rank_newton.h"
#include "contact/solvers/quadratic/second_order_cone.h"

namespace pequod {

/// What a convex program over contacts of three components each,
///
///   min ½ xᵀA x + bᵀx  subject to  B x + c ≥ 0  and  μ_i x_ni + w_i ≥ |x_ti| at the contacts
///   listed,
///
/// has beside its matrices: N variables, l linear rows.
struct ConeRows {
  VectorXd b;              ///< N
  VectorXd c;              ///< l
  int bounds = 0;          ///< the last rows of B: x ≥ 0 of one normal component each
  std::vector<int> cones;  ///< contacts that have one
  VectorXd mu;             ///< one a contact, > 0 and finite where there is a cone
  VectorXd width;          ///< one a contact, ≥ 0; empty: all zero
  double scale = 1;        ///< S, root of an energy, to which residuals are relative

  void poison() { pequod::poison(b, c, cones, mu, width); }
};

/// The same with dense matrices.
struct ConeProgram : ConeRows {
  RowMajorMatrix A;  ///< N×N, symmetric, positive semidefinite
  RowMajorMatrix B;  ///< l×N

  void poison() {
    ConeRows::poison();
    pequod::poison(A, B);
  }
};

/// Iterates of the method, slack s and multiplier z of each row; no meaning from one call to the
/// next.
struct ConeIterates {
  VectorXd s, z, lambda, ds, dz, e, rp, dual, dx, weight, best;
  std::vector<ConeScaling> scalings;  ///< Θ of the cones
  VectorXd solution;

  void poison() {
    pequod::poison(s, z, lambda, ds, dz, e, rp, dual, dx, weight, best, scalings, solution);
  }
};

/// Buffers; no meaning from one call to the next.
struct InteriorPointBuffers {
  ConeIterates iterates;
  std::vector<double> matrix;  ///< the Newton system, then its factors
  std::vector<int> pivots;
  LowRankNewton low_rank;

  void poison() { pequod::poison(iterates, matrix, pivots, low_rank); }
};

/// An iterate: x, and slack and multiplier of each row, inside of the cones.
struct ConePoint {
  VectorXd x, s, z;

  void poison() { pequod::poison(x, s, z); }
};

struct InteriorPointSettings {
  int iterations = 50;
  double tolerance = 1e-12;         ///< ends where gap, primal and dual residual are below this
  const ConePoint* from = nullptr;  ///< where to start, if anywhere
  /// Where given: the first iterate whose gap is below this is kept there, else its x is left
  /// empty.
  ConePoint* kept = nullptr;
  double keep_below = 0.0;
};

struct InteriorPointResult {
  int iterations = 0;
  double gap = NAN;     ///< sᵀz/S², the distance from the least value
  double primal = NAN;  ///< |B x + c − s|/S over all rows and cones
  double dual = NAN;    ///< |A x + b − Bᵀz|/S
  /// The largest of the three; the x returned is that of the iterate where it was least.
  [[nodiscard]] double error() const;
};

/// The interior point method (cone_method.h) on dense matrices of N + l rows, or of far fewer where
/// every contact has a cone and A a low rank (LowRankNewton).
InteriorPointResult solve_cone_program(const ConeProgram& program,
                                       const InteriorPointSettings& settings,
                                       InteriorPointBuffers& buffers, VectorXd& x);

}  // namespace pequod
