#include "contact/solvers/least_distance/least_distance.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>

#include "contact/solvers/linear/small_vector_operations.h"

namespace pequod {

namespace {

double positive_or(double x, double otherwise) { return x > 0 ? x : otherwise; }

/// Length of column j, or 1 if it is zero.
double column_norm(const MatrixXd& A, Index j) {
  const double* column = A.data() + j * A.rows();
  return positive_or(std::sqrt(dot(column, column, A.rows())), 1.0);
}

std::string size_of(const MatrixXd& A) {
  return std::to_string(A.rows()) + "×" + std::to_string(A.cols());
}

}  // namespace

void check_sizes(const LeastDistanceProblem& problem) {
  const auto fail = [](const std::string& what) {
    throw std::invalid_argument("least-distance problem: " + what);
  };
  const Index m = problem.y0.size();
  if (problem.E.cols() > 0 && problem.E.rows() != m)
    fail("E is " + size_of(problem.E) + " but y0 has " + std::to_string(m) + " entries");
  if (problem.G.cols() > 0 && problem.G.rows() != m)
    fail("G is " + size_of(problem.G) + " but y0 has " + std::to_string(m) + " entries");
  if (problem.e.size() != problem.E.cols())
    fail("E is " + size_of(problem.E) + " but e has " + std::to_string(problem.e.size()) +
         " entries");
  if (problem.c.size() != problem.G.cols())
    fail("G is " + size_of(problem.G) + " but c has " + std::to_string(problem.c.size()) +
         " entries");
  if (problem.equalities() > problem.E.cols())
    fail("k = " + std::to_string(problem.k) + " columns of E, which is " + size_of(problem.E));
  if (problem.inequalities() > problem.G.cols())
    fail("n = " + std::to_string(problem.n) + " columns of G, which is " + size_of(problem.G));
}

double scale(const LeastDistanceProblem& problem) {
  double c = 0, e = 0;
  for (Index i = 0; i < problem.inequalities(); ++i)
    if (problem.c[i] != 0) c = std::max(c, std::abs(problem.c[i]) / column_norm(problem.G, i));
  for (Index j = 0; j < problem.equalities(); ++j)
    if (problem.e[j] != 0) e = std::max(e, std::abs(problem.e[j]) / column_norm(problem.E, j));
  return problem.y0.norm() + c + e;
}

LeastDistanceResiduals measure(const LeastDistanceProblem& problem,
                               const LeastDistanceSolution& solution) {
  const Index m = problem.y0.size();
  const VectorXd &y = solution.y, &f = solution.f, &fe = solution.fe;
  LeastDistanceResiduals result{0, 0, 0, 0};
  for (Index i = 0; i < problem.inequalities(); ++i) {
    const auto [square, speed] = square_and_dot(problem.G.data() + i * m, y.data(), m);
    const double norm = positive_or(std::sqrt(square), 1.0);
    const double w = (speed - problem.c[i]) / norm;
    result.infeasibility = std::max(result.infeasibility, -w);
    result.complementarity = std::max(result.complementarity, std::abs(f[i] * norm * w));
    result.dual_infeasibility = std::max(result.dual_infeasibility, -f[i] * norm);
  }
  for (Index j = 0; j < problem.equalities(); ++j) {
    const auto [square, speed] = square_and_dot(problem.E.data() + j * m, y.data(), m);
    result.infeasibility = std::max(
        result.infeasibility, std::abs(speed - problem.e[j]) / positive_or(std::sqrt(square), 1.0));
  }
  // |y − y₀ − E fe − G f|², some rows at a time: columns lie side by side.
  constexpr Index kRows = 64;
  double squares = 0, change[kRows];
  for (Index first = 0; first < m; first += kRows) {
    const Index count = std::min(kRows, m - first);
    for (Index row = 0; row < count; ++row) change[row] = y[first + row] - problem.y0[first + row];
    for (Index i = 0; i < problem.inequalities(); ++i)
      if (f[i] != 0) add_scaled(-f[i], problem.G.data() + i * m + first, change, count);
    for (Index j = 0; j < problem.equalities(); ++j)
      if (fe[j] != 0) add_scaled(-fe[j], problem.E.data() + j * m + first, change, count);
    for (Index row = 0; row < count; ++row) squares += change[row] * change[row];
  }
  const double s = positive_or(scale(problem), 1.0);
  result.infeasibility /= s;
  result.complementarity /= s * s;
  result.stationarity = std::sqrt(squares) / s;
  result.dual_infeasibility /= s;
  return result;
}

void check_residuals(const LeastDistanceProblem& problem, const LeastDistanceOptions& options,
                     LeastDistanceSolution& solution) {
  solution.residuals = measure(problem, solution);
  const LeastDistanceResiduals& r = solution.residuals;
  const std::pair<const char*, double> all[] = {{"infeasibility", r.infeasibility},
                                                {"complementarity", r.complementarity},
                                                {"stationarity", r.stationarity},
                                                {"dual infeasibility", r.dual_infeasibility}};
  const auto* worst = &all[0];
  for (const auto& residual : all)
    if (!(residual.second <= worst->second)) worst = &residual;  // a NaN too
  if (worst->second <= options.residual) return;
  solution.status = SolveStatus::failed;
  solution.y.setConstant(NAN);
  char text[120];
  std::snprintf(text, sizeof text, "its %s of %.1e, relative to the problem, is above %.1e",
                worst->first, worst->second, options.residual);
  solution.reason = text;
}

}  // namespace pequod
