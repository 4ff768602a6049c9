#pragma once

#include <string>
#include <vector>

#include "contact/solvers/least_distance/least_distance.h"
#include "contact/solvers/least_distance/least_distance_workspace.h"
#include "contact/solvers/linear/poison.h"
#include "contact/solvers/linear/solve_status.h"
#include "contact/solvers/linear/vectors.h"

namespace pequod {

/// A convex quadratic program: min ½xᵀMx + qᵀx subject to x ≥ lower and A x ≥ b.
struct QuadraticProblem {
  MatrixXd M;      ///< n×n, symmetric positive semidefinite
  VectorXd q;      ///< n
  VectorXd lower;  ///< n, −∞ where there is none
  MatrixXd A;      ///< k×n (0×n if there is none)
  VectorXd b;      ///< k
};

struct QuadraticOptions {
  double residual = 1e-10;  ///< a larger residual, relative to its terms, is a failure
  int max_steps = 100;      ///< proximal steps, for M that is not definite
};

/// Residuals of the optimality conditions, each relative to the size of its terms.
struct QuadraticResiduals {
  double stationarity = NAN;     ///< largest entry of M x + q − μ − Aᵀλ
  double infeasibility = NAN;    ///< largest lower − x or b − A x, ≥ 0
  double complementarity = NAN;  ///< largest multiplier times the slack of its row
};

struct QuadraticSolution {
  SolveStatus status = SolveStatus::failed;
  std::string reason;  ///< why it is not `solved`; empty if it is
  VectorXd x;          ///< n
  VectorXd mu;         ///< n, multipliers ≥ 0 of x ≥ lower
  VectorXd lambda;     ///< k, multipliers ≥ 0 of A x ≥ b. With `no_solution` mu and lambda are
                       ///< a proof: μ + Aᵀλ = 0 with lowerᵀμ + bᵀλ > 0
  QuadraticResiduals residuals;  ///< recomputed from the problem
  int pivots = 0;                ///< changes of the active set
  int steps = 0;                 ///< proximal steps
};

/// Buffers, kept from solve to solve.
struct QuadraticWorkspace {
  MatrixXd shifted;  ///< M + εI
  Eigen::LLT<MatrixXd> factor;
  VectorXd centre;  ///< the first centre if it has n entries, else zero
  VectorXd slack;
  std::vector<int> bounded;  ///< rows with a lower bound
  std::vector<int> active;   ///< the set of the step before
  LeastDistanceProblem nearest;
  LeastDistanceSolution solution;
  LeastDistanceWorkspace workspace;

  void poison() { pequod::poison(shifted, slack, bounded, active, nearest, workspace); }
};

/// Active-set method: with M + εI = L Lᵀ and y = Lᵀx the program is a least-distance problem, which
/// solve_dual solves. ε is zero if M is definite. If not, the step is repeated around its own
/// result (the proximal point method, Rockafellar 1976) from the old active set, until the
/// residuals are met; a program without a minimum never meets them, which is a failure.
/// @throws std::invalid_argument  with the sizes, if they do not fit together
void solve_quadratic_program(const QuadraticProblem& problem, const QuadraticOptions& options,
                             QuadraticWorkspace& workspace, QuadraticSolution& solution);

}  // namespace pequod
