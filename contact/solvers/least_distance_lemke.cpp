#include "contact/solvers/least_distance_lemke.h"

#include <algorithm>
#include <cmath>

namespace pequod {

namespace {

/// Columns of length one; columns of length zero stay.
struct UnitColumns {
  Eigen::MatrixXd A;
  Eigen::VectorXd norm, rhs;
};

UnitColumns unit_columns(const Eigen::MatrixXd& A, const Eigen::VectorXd& rhs, Eigen::Index count) {
  UnitColumns unit{A.leftCols(count), A.leftCols(count).colwise().norm(), rhs.head(count)};
  for (double& norm : unit.norm)
    if (norm == 0.0) norm = 1.0;
  unit.A = unit.A * unit.norm.cwiseInverse().asDiagonal();
  unit.rhs = unit.rhs.cwiseQuotient(unit.norm);
  return unit;
}

/// Everything the reduction needs: the basis Q of the equalities, the shortest point y_e on them,
/// and y_e + P y₀.
struct Equalities {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> E;
  Eigen::MatrixXd Q;
  Eigen::VectorXd y_free;
  double off = 0;  ///< largest |eⱼ − Eⱼᵀy_e|, unit columns
};

Equalities factor(const LeastDistanceProblem& problem, const UnitColumns& unit, double rank) {
  Equalities result;
  result.y_free = problem.y0;
  if (unit.A.cols() == 0) return result;
  result.E.setThreshold(rank);
  result.E.compute(unit.A);
  const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(unit.A.rows(), result.E.rank());
  result.Q = result.E.householderQ() * I;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> transposed;
  transposed.setThreshold(rank);
  transposed.compute(unit.A.transpose());
  const Eigen::VectorXd y_e = transposed.solve(unit.rhs);
  result.off = (unit.rhs - unit.A.transpose() * y_e).cwiseAbs().maxCoeff();
  result.y_free += y_e - result.Q * (result.Q.transpose() * problem.y0);
  return result;
}

LcpProblem as_lcp(const Equalities& equalities, const UnitColumns& rows) {
  Eigen::MatrixXd projected = rows.A;
  if (equalities.Q.cols() > 0) projected -= equalities.Q * (equalities.Q.transpose() * rows.A);
  return {projected.transpose() * projected, rows.A.transpose() * equalities.y_free - rows.rhs};
}

bool is_finite(const LeastDistanceProblem& problem) {
  const Eigen::Index k = problem.equalities(), n = problem.inequalities();
  return problem.y0.allFinite() && problem.E.leftCols(k).allFinite() &&
         problem.e.head(k).allFinite() && problem.G.leftCols(n).allFinite() &&
         problem.c.head(n).allFinite();
}

LeastDistanceStatus solve(const LeastDistanceProblem& problem, const LeastDistanceOptions& options,
                          LeastDistanceSolution& solution) {
  if (!is_finite(problem)) {
    solution.reason = "the data are not finite, or too large to square";
    return LeastDistanceStatus::failed;
  }
  const Eigen::Index k = problem.equalities(), n = problem.inequalities();
  const UnitColumns columns = unit_columns(problem.E, problem.e, k);
  const UnitColumns rows = unit_columns(problem.G, problem.c, n);
  const Equalities equalities = factor(problem, columns, options.rank);
  if (equalities.off > options.contradiction * scale(problem)) {
    solution.reason = "the equalities contradict each other";
    return LeastDistanceStatus::no_solution;
  }
  const LcpSolution lcp = solve_lcp_regularised(as_lcp(equalities, rows)).solution;
  solution.pivots = lcp.pivots;
  if (lcp.status != LcpStatus::solved) {
    const bool ray = lcp.status == LcpStatus::no_solution;
    solution.reason = ray ? "Lemke's method ended on a ray" : "the limit of pivots is reached";
    return ray ? LeastDistanceStatus::no_solution : LeastDistanceStatus::failed;
  }
  Eigen::VectorXd push = rows.A * lcp.z;
  if (k > 0) push -= equalities.Q * (equalities.Q.transpose() * push);
  solution.y = equalities.y_free + push;
  solution.f.head(n) = lcp.z.cwiseQuotient(rows.norm);
  for (int i = 0; i < n; ++i)
    if (lcp.z[i] > 0) solution.active.push_back(i);
  if (k == 0) return LeastDistanceStatus::solved;
  const Eigen::VectorXd held = solution.y - problem.y0 - rows.A * lcp.z;
  solution.fe.head(k) = equalities.E.solve(held).cwiseQuotient(columns.norm);
  const auto& pivots = equalities.E.colsPermutation().indices();
  solution.accepted.assign(pivots.data(), pivots.data() + equalities.E.rank());
  std::sort(solution.accepted.begin(), solution.accepted.end());
  return LeastDistanceStatus::solved;
}

}  // namespace

LcpProblem as_lcp(const LeastDistanceProblem& problem, const LeastDistanceOptions& options) {
  check_sizes(problem);
  const UnitColumns columns = unit_columns(problem.E, problem.e, problem.equalities());
  const UnitColumns rows = unit_columns(problem.G, problem.c, problem.inequalities());
  return as_lcp(factor(problem, columns, options.rank), rows);
}

void solve_least_distance_by_lemke(const LeastDistanceProblem& problem,
                                   const LeastDistanceOptions& options, std::span<const int>,
                                   LeastDistanceWorkspace&, LeastDistanceSolution& solution) {
  check_sizes(problem);
  solution = {};
  solution.y.setConstant(problem.y0.size(), NAN);
  solution.f.setZero(problem.G.cols());
  solution.fe.setZero(problem.E.cols());
  solution.status = solve(problem, options, solution);
  if (solution.status != LeastDistanceStatus::solved) return;
  solution.residuals = measure(problem, solution);
  const LeastDistanceResiduals& r = solution.residuals;
  // A contact off by more is the wrong set: y can be wrong by 1e-6 then.
  if (r.infeasibility < 1e-10 && std::max(r.complementarity, r.stationarity) < 1e-8) return;
  solution.status = LeastDistanceStatus::failed;
  solution.y.setConstant(NAN);
  solution.reason = "Lemke's method left a residual";
}

}  // namespace pequod
