#include "contact/solvers/reference/least_distance_lemke.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "contact/solvers/complementarity/lemke.h"
#include "contact/solvers/least_distance/non_negative_least_squares.h"
#include "contact/solvers/linear/decompositions.h"

namespace pequod {

namespace {

/// A row of which the others leave less depends on them, up to rounding.
constexpr double kRepeats = 1e-11;

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

/// The equalities: an orthonormal basis Z of the null space of Eᵀ, and the shortest y_e with
/// Eᵀy_e = e.
struct Equalities {
  std::optional<LeastNormFactor> E;  ///< none: no equalities
  Eigen::MatrixXd Z;
  Eigen::VectorXd y_e;
  double off = 0;  ///< largest |eⱼ − Eⱼᵀy_e|, unit columns
};

Equalities factor(const Eigen::Index m, const UnitColumns& unit, double rank) {
  Equalities result;
  result.Z = Eigen::MatrixXd::Identity(m, m);
  result.y_e = Eigen::VectorXd::Zero(m);
  if (unit.A.cols() == 0) return result;
  result.E.emplace(unit.A, rank);
  result.Z = result.E->left_null_space();
  result.y_e = LeastNormFactor(unit.A.transpose(), rank).solve(unit.rhs);
  result.off = (unit.rhs - unit.A.transpose() * result.y_e).cwiseAbs().maxCoeff();
  return result;
}

/// What the equalities leave: min ½|x − x₀|² subject to Hᵀx ≥ d, where y = y_e + Z x.
struct Reduced {
  Eigen::VectorXd x0;
  Eigen::MatrixXd H;               ///< what is left of unit columns, no longer than one
  Eigen::VectorXd d, length;       ///< |Hᵢ|
  std::vector<Eigen::Index> rows;  ///< the rows of the problem that are left
};

/// A row in the span of the equalities leaves only rounding, and rounding made a unit row would be
/// a constraint of its own. Such a row carries nothing.
/// @param short_of  the largest cᵢ − gᵢᵀy_e of those rows
Reduced reduce(const LeastDistanceProblem& problem, const UnitColumns& unit,
               const Equalities& equalities, double rank, double& short_of) {
  Reduced result;
  const Eigen::MatrixXd left = equalities.Z.transpose() * unit.A;
  const Eigen::VectorXd d = unit.rhs - unit.A.transpose() * equalities.y_e;
  const Eigen::VectorXd length = left.colwise().norm();
  short_of = 0;
  for (Eigen::Index i = 0; i < d.size(); ++i) {
    if (length[i] < rank)
      short_of = std::max(short_of, d[i]);
    else
      result.rows.push_back(i);
  }
  result.x0 = equalities.Z.transpose() * problem.y0;
  result.length = length(result.rows);
  result.H = left(Eigen::all, result.rows);
  result.d = d(result.rows);
  return result;
}

/// A point x and multipliers z ≥ 0 with x = x₀ + H z up to rounding.
struct Answer {
  Eigen::VectorXd x, z;
};

/// The answer on the set where z is positive, by one factorisation of the rows in it: x is the
/// point on them nearest to x₀, and M = HᵀH, whose condition is that of H squared, is left out of
/// it. Where the set is dependent, z is not unique; some z ≥ 0 is taken.
Answer refine(const Reduced& reduced, const Eigen::VectorXd& z) {
  Answer answer{reduced.x0, Eigen::VectorXd::Zero(z.size())};
  std::vector<Eigen::Index> set;
  for (Eigen::Index i = 0; i < z.size(); ++i)
    if (z[i] > 0) set.push_back(i);
  if (set.empty()) return answer;
  const Eigen::MatrixXd A = reduced.H(Eigen::all, set);
  const double threshold = kRepeats / A.colwise().norm().maxCoeff();
  const Eigen::VectorXd wanted = reduced.d(set) - A.transpose() * reduced.x0;
  const Eigen::VectorXd change = LeastNormFactor(A.transpose(), threshold).solve(wanted);
  const Eigen::VectorXd unique = LeastNormFactor(A, threshold).solve(change);
  answer.x += change;
  answer.z(set) =
      unique.minCoeff() >= 0 ? unique : solve_non_negative_least_squares(A, change, kRepeats);
  return answer;
}

/// How far an answer is from the solution: rows violated, z that do not lead to x.
double error(const Reduced& reduced, const Answer& answer) {
  const Eigen::VectorXd missing = reduced.d - reduced.H.transpose() * answer.x;
  const double violated = missing.size() > 0 ? std::max(0.0, missing.maxCoeff()) : 0.0;
  return std::max(violated, (answer.x - reduced.x0 - reduced.H * answer.z).norm());
}

/// The set of a solution without M: least-distance programming as non-negative least squares, the
/// residual of which points from x₀ to x (Lawson & Hanson 1974, ch. 23, sec. 4).
/// @param length  about |x − x₀|
Eigen::VectorXd find_set(const Reduced& reduced, double length) {
  const Eigen::Index m = reduced.H.rows();
  Eigen::MatrixXd A(m + 1, reduced.H.cols());
  A << reduced.H, (reduced.d - reduced.H.transpose() * reduced.x0).transpose() / length;
  return solve_non_negative_least_squares(A, Eigen::VectorXd::Unit(m + 1, m), kRepeats);
}

LcpProblem as_lcp(const Reduced& reduced) {
  // Unit rows again: pivots of short ones would count as zero.
  const Eigen::MatrixXd unit = reduced.H * reduced.length.cwiseInverse().asDiagonal();
  const Eigen::VectorXd slack = reduced.H.transpose() * reduced.x0 - reduced.d;
  return {unit.transpose() * unit, slack.cwiseQuotient(reduced.length)};
}

/// Lemke's method, and if the set it ends on is wrong by rounding in M, one from H.
SolveStatus solve(const Reduced& reduced, double scale, Answer& answer,
                  LeastDistanceSolution& solution) {
  const LcpSolution lcp = solve_lemke(as_lcp(reduced));
  solution.pivots = lcp.pivots;
  if (lcp.status == SolveStatus::no_solution) return lcp.status;
  const Eigen::VectorXd z = lcp.z.cwiseQuotient(reduced.length);
  answer = refine(reduced, z);
  // A right set leaves 1e-13 of the scale even at mass ratios of 10⁶. At 1e-11 y was off by 1e-8.
  if (lcp.status == SolveStatus::solved && error(reduced, answer) <= 1e-12 * scale)
    return lcp.status;
  ++solution.switches;
  const double length = (reduced.H * z).norm();
  const Answer other = refine(reduced, find_set(reduced, length > 0 ? length : scale));
  if (lcp.status != SolveStatus::solved || error(reduced, other) < error(reduced, answer))
    answer = other;
  return SolveStatus::solved;
}

/// y, f and fe in terms of the problem as given.
void write(const LeastDistanceProblem& problem, const UnitColumns& columns, const UnitColumns& rows,
           const Equalities& equalities, const Reduced& reduced, const Answer& answer,
           LeastDistanceSolution& solution) {
  const Eigen::Index k = columns.A.cols(), n = rows.A.cols();
  solution.y = equalities.y_e + equalities.Z * answer.x;
  for (std::size_t i = 0; i < reduced.rows.size(); ++i) {
    const Eigen::Index row = reduced.rows[i];
    solution.f[row] = answer.z[static_cast<Eigen::Index>(i)] / rows.norm[row];
    if (solution.f[row] > 0) solution.active.push_back(static_cast<int>(row));
  }
  if (k == 0) return;
  const Eigen::VectorXd held = solution.y - problem.y0 - problem.G.leftCols(n) * solution.f.head(n);
  solution.fe.head(k) = equalities.E->solve(held).cwiseQuotient(columns.norm);
  solution.accepted = equalities.E->pivots();
  std::sort(solution.accepted.begin(), solution.accepted.end());
}

bool is_finite(const LeastDistanceProblem& problem) {
  const Eigen::Index k = problem.equalities(), n = problem.inequalities();
  return problem.y0.allFinite() && problem.E.leftCols(k).allFinite() &&
         problem.e.head(k).allFinite() && problem.G.leftCols(n).allFinite() &&
         problem.c.head(n).allFinite();
}

SolveStatus solve(const LeastDistanceProblem& problem, const LeastDistanceOptions& options,
                  LeastDistanceSolution& solution) {
  if (!is_finite(problem)) {
    solution.reason = "the data are not finite, or too large to square";
    return SolveStatus::failed;
  }
  const UnitColumns columns = unit_columns(problem.E, problem.e, problem.equalities());
  const UnitColumns rows = unit_columns(problem.G, problem.c, problem.inequalities());
  const Equalities equalities = factor(problem.y0.size(), columns, options.rank);
  const double size = scale(problem) + equalities.y_e.norm(),
               allowed = options.contradiction * size;
  if (equalities.off > allowed) {
    solution.reason = "the equalities contradict each other";
    return SolveStatus::no_solution;
  }
  double short_of = 0;
  const Reduced reduced = reduce(problem, rows, equalities, options.left, short_of);
  if (short_of > allowed) {
    solution.reason = "an inequality contradicts the equalities, or is zero and cannot be met";
    return SolveStatus::no_solution;
  }
  Answer answer;
  if (solve(reduced, size, answer, solution) == SolveStatus::no_solution) {
    solution.reason = "Lemke's method ended on a ray";
    return SolveStatus::no_solution;
  }
  write(problem, columns, rows, equalities, reduced, answer, solution);
  return SolveStatus::solved;
}

}  // namespace

void solve_least_distance_by_lemke(const LeastDistanceProblem& problem,
                                   const LeastDistanceOptions& options, std::span<const int>,
                                   LeastDistanceWorkspace&, LeastDistanceSolution& solution) {
  check_sizes(problem);
  solution = {};
  solution.y.setConstant(problem.y0.size(), NAN);
  solution.f.setZero(problem.G.cols());
  solution.fe.setZero(problem.E.cols());
  solution.status = solve(problem, options, solution);
  if (solution.status != SolveStatus::solved) return;
  check_residuals(problem, options, solution);
}

}  // namespace pequod
